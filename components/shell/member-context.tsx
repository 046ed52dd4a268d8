"use client";
import { createContext, useContext, type ReactNode } from "react";
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

export function MemberProvider({ member, children }: { member: ShellMember; children: ReactNode }) {
  return <MemberContext value={member}>{children}</MemberContext>;
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
