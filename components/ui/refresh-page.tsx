"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Renders the page again on the server, every so many milliseconds while it is seen. */
export function RefreshPage({ every }: { every: number }) {
  const router = useRouter();
  useEffect(() => {
    let last = Date.now();
    const refresh = async () => {
      if (document.visibilityState !== "visible" || Date.now() - last < every) return;
      last = Date.now();
      // A refresh that fails would end the page, with what was typed: Next loads the address anew.
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
