import { servicePrincipal } from "#lib/auth/principal.ts";
import { resolveOptOut } from "#lib/consent/resolve-opt-out.ts";
import { log } from "#lib/log.ts";

/**
 * A profile says no: that confirms a consumer's open report about its author (consumers.md), if there is one.
 * What the author had here is gone already, so a failure must not stop what else is to be done.
 */
export async function confirmOptOut(author: string): Promise<void> {
  try {
    await resolveOptOut(servicePrincipal, author, "confirmed");
  } catch (error) {
    log.warn({ err: error }, "a reported opt-out was not confirmed");
  }
}
