import type { Role } from "#lib/base/http/permissions.ts";

export type { Role };

const ranks: Record<Role, number> = { viewer: 0, reviewer: 1, admin: 2 };

/** For display only; the server enforces rights. */
export function reaches(role: Role, minRole: Role): boolean {
  return ranks[role] >= ranks[minRole];
}
