"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Without scripts the operator's address. */
export function useAddress(publicUrl: string): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => publicUrl,
  );
}
