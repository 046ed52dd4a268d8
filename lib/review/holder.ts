import type { Principal } from "#lib/auth/principal.ts";

/** To whom a card is leased: the key, or the member when it is a session (contract §7). */
export function holderOf(principal: Principal): string {
  return principal.key_id === null ? `m${principal.member_id}` : `k${principal.key_id}`;
}
