"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Refreshes the page from the server while it is visible. @param every milliseconds */
export function RefreshPage({ every }: { every: number }) {
  const router = useRouter();
  useEffect(() => {
    let last = Date.now();
    const refresh = async () => {
      if (document.visibilityState !== "visible" || Date.now() - last < every) return;
      last = Date.now();
      // If a refresh fails, Next loads the page anew and typed text is lost. So check first that the server answers.
      const ready = await fetch("/readyz", { cache: "no-store" }).catch(() => null);
      if (ready?.ok) router.refresh();
    };
    const check = () => void refresh();
    const timer = setInterval(check, every / 3);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [router, every]);
  return null;
}
