"use client";
import { useSyncExternalStore } from "react";
import { neverChanges } from "#lib/client/use-store.ts";

/** Without scripts the operator's address. */
export function useAddress(publicUrl: string): string {
  return useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => publicUrl,
  );
}
