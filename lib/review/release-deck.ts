import type { Principal } from "#lib/auth/principal.ts";
import { releaseCards } from "./deck-sql.ts";
import { holderOf } from "./holder.ts";

/** Gives all of one's cards back, so that others need not wait for the leases to end. */
export async function releaseDeck(principal: Principal): Promise<void> {
  await releaseCards(holderOf(principal));
}
