import { createHash } from "node:crypto";
import type { Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import type { ActionPreview } from "./schema.ts";
import { insertPreview, isPreviewUsed, takePreview, type PreviewKey } from "./sql.ts";

/** Time to read a confirmation. */
const MINUTES = 10;

/**
 * @param args arguments of the action that must be equal when it is done
 * @param data ids and states that were counted, for `takeCounted`
 */
export async function createPreview(
  principal: Principal,
  kind: string,
  args: unknown,
  data: unknown,
  figures: Pick<ActionPreview, "changes" | "counts" | "warnings">,
): Promise<ActionPreview> {
  const { id, expires_at } = await insertPreview(principal, keyOf(kind, args), data, MINUTES);
  return { token: id, expires_at: toIso(expires_at), ...figures };
}

/**
 * Uses a token once. It stays unused when the transaction is rolled back.
 *
 * @returns `data` of `createPreview`
 * @throws action_done; preview_not_valid: unknown, expired, of another caller or for other arguments
 */
export async function takeCounted<T>(
  tx: Tx,
  principal: Principal,
  token: string,
  kind: string,
  args: unknown,
): Promise<T> {
  const row = await takePreview(tx, principal, token, keyOf(kind, args));
  if (row !== null) return row.data as T;
  const isUsed = await isPreviewUsed(tx, principal, token);
  throw new ApiError(isUsed ? "action_done" : "preview_not_valid");
}

function keyOf(kind: string, args: unknown): PreviewKey {
  return { kind, arguments: createHash("sha256").update(inOrder(args)).digest() };
}

/** JSON with sorted keys; undefined values are left out. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
