"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Renders the page again on the server, every so many milliseconds while it is seen. */
export function RefreshPage({ every }: { every: number }) {
  const router = useRouter();
  useEffect(() => {
    let last = Date.now();
    const refresh = () => {
      if (document.visibilityState !== "visible" || Date.now() - last < every) return;
      last = Date.now();
      router.refresh();
    };
    const timer = setInterval(refresh, every / 3);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router, every]);
  return null;
}
