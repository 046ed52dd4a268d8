"use client";
import { useEffect } from "react";
import type { Desk } from "./use-desk.ts";

const CHECK_EVERY_MS = 15_000;

/** Polls while the deck is empty. Renews leases of a visible tab. */
export function useLookingAfter(desk: Desk | null): void {
  useEffect(() => {
    if (!desk) return;
    const onVisible = () => {
      if (document.visibilityState === "visible") desk.store.renewLeases();
    };
    const timer = setInterval(() => {
      const { cards, incomplete_results } = desk.store.getState();
      if (document.visibilityState === "visible" && cards.length === 0 && !incomplete_results)
        desk.store.retry();
    }, CHECK_EVERY_MS);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (desk.outbox.getState().at_risk) event.preventDefault();
    };
    document.addEventListener("visibilitychange", onVisible);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [desk]);
}
