"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Where this service is reached: the origin this page came from, which is proven to work; before scripts run the
 * address the operator set.
 */
export function useAddress(publicUrl: string): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => publicUrl,
  );
}
