"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 30_000;

export function RefreshPage() {
  const router = useRouter();
  useEffect(() => {
    let last = Date.now();
    const refresh = () => {
      if (document.visibilityState !== "visible" || Date.now() - last < EVERY_MS) return;
      last = Date.now();
      router.refresh();
    };
    const timer = setInterval(refresh, EVERY_MS / 3);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router]);
  return null;
}
