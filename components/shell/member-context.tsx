"use client";
import { createContext, useContext, type ReactNode } from "react";

export type Role = "viewer" | "reviewer" | "admin";

export interface ShellMember {
  id: number;
  name: string;
  email: string;
  role: Role;
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

const ranks: Record<Role, number> = { viewer: 0, reviewer: 1, admin: 2 };

/** For display only; the server enforces rights. */
export function reaches(role: Role, least: Role): boolean {
  return ranks[role] >= ranks[least];
}

export function useCan(least: Role): boolean {
  return reaches(useMember().role, least);
}
