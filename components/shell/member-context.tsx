import { createContext, useContext, useMemo, type ReactNode } from "react";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { reaches, type Role } from "./roles.ts";

export interface ShellMember {
  id: number;
  name: string;
  email: string;
  role: Role;
  /** Off for people whose screen reader or voice input uses single keys. */
  single_keys: boolean;
}

const MemberContext = createContext<ShellMember | null>(null);

const ReasonsContext = createContext<readonly RejectReason[]>([]);

export interface MemberProviderProps {
  member: ShellMember;
  /** The team's reasons, archived ones last. */
  reasons: readonly RejectReason[];
  children: ReactNode;
}

export function MemberProvider({ member, reasons, children }: MemberProviderProps) {
  return (
    <MemberContext value={member}>
      <ReasonsContext value={reasons}>{children}</ReasonsContext>
    </MemberContext>
  );
}

/** @throws Error outside the console's layout */
export function useMember(): ShellMember {
  const member = useContext(MemberContext);
  if (!member) throw new Error("useMember works inside app/(console)/layout.tsx only");
  return member;
}

export function useCan(minRole: Role): boolean {
  return reaches(useMember().role, minRole);
}

/** The team's reasons of rejection, archived ones last. */
export function useRejectReasons(): readonly RejectReason[] {
  return useContext(ReasonsContext);
}

/** Reasons that are not archived, in the order of their keys from 1. */
export function useReasonsInUse(): readonly RejectReason[] {
  const all = useRejectReasons();
  return useMemo(() => all.filter(({ place }) => place !== null), [all]);
}
