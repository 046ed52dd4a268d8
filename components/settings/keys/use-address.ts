"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** The page's origin, or before scripts run the operator's address. */
export function useAddress(publicUrl: string): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => publicUrl,
  );
}
