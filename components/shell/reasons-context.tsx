"use client";
import { createContext, useContext, useMemo, type ReactNode } from "react";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

const ReasonsContext = createContext<readonly RejectReason[]>([]);

export function ReasonsProvider({
  reasons,
  children,
}: {
  reasons: readonly RejectReason[];
  children: ReactNode;
}) {
  return <ReasonsContext value={reasons}>{children}</ReasonsContext>;
}

/** The team's reasons of rejection, archived ones last. */
export function useRejectReasons(): readonly RejectReason[] {
  return useContext(ReasonsContext);
}

/** In the order of the keys from 1. */
export function useReasonsInUse(): readonly RejectReason[] {
  const all = useRejectReasons();
  return useMemo(() => all.filter(({ place }) => place !== null), [all]);
}
