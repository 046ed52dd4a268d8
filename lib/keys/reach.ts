import type { Principal } from "#lib/auth/principal.ts";

/** Whose keys somebody may see and revoke (contract §6): admins everybody's (null), others their own. */
export function ownerFor(principal: Pick<Principal, "role" | "member_id">): number | null {
  return principal.role === "admin" ? null : principal.member_id;
}
