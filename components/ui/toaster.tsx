"use client";
import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { lazyWithRetry } from "./lazy.tsx";
import { loadToasts, toastsWanted } from "./toast.tsx";

const Toasts = lazyWithRetry(() => import("./toasts.tsx").then((module) => module.Toasts));

/** The desk has its own place for messages and needs toasts only over a dialog, so they are not in its first load. */
export function Toaster() {
  const isDesk = usePathname() === "/review";
  useEffect(() => {
    if (!isDesk) loadToasts();
  }, [isDesk]);
  const isShown = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, () => false);
  return isShown ? <Toasts /> : null;
}
