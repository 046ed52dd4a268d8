import type { Actor } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { authorKey } from "#lib/fediverse/author-key.ts";
import { resolveOptOut } from "./resolve-opt-out.ts";
import type { OptOutResolution } from "./opt-outs-sql.ts";

/**
 * Somebody's decision about a reported opt-out.
 * @param account `@user@host` as it stands in the path
 * @throws ApiError `opt_out_not_found` when none is open, somebody else having decided it included
 */
export async function decideOptOut(
  actor: Actor,
  account: string,
  resolution: OptOutResolution,
): Promise<void> {
  const key = keyOf(account);
  if (key === null || !(await resolveOptOut(actor, key, resolution))) throw new ApiError("opt_out_not_found");
}

/** Next hands over path segments as they were sent. */
function keyOf(account: string): string | null {
  try {
    const key = authorKey(decodeURIComponent(account));
    return key?.includes("\0") ? null : key;
  } catch {
    return null;
  }
}
