import type { Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { keyLabel } from "./label.ts";
import { ownerFor } from "./reach.ts";
import type { Revoked } from "./schema.ts";
import { anyActiveKey, lockActiveKeys, revokeRow } from "./sql.ts";

/**
 * Revokes a key, at once and for good.
 * @param id which; undefined: the only active one within the caller's reach
 * @throws ApiError `api_key_not_found` (also when it was revoked before), `several_keys`
 */
export async function revokeKey(principal: Principal, id: number | undefined): Promise<Revoked> {
  const owner = ownerFor(principal);
  return db.$transaction(async (tx) => {
    const target = id ?? (await onlyKey(tx, owner));
    const row = target > MAX_ID ? null : await revokeRow(tx, target, owner);
    if (row === null) throw new ApiError("api_key_not_found");
    await recordAudit(tx, principal, {
      action: "key.revoke",
      subject: keyLabel(row),
      before: { id: target },
    });
    return { revoked: 1, api_key_set: await anyActiveKey(tx, owner) };
  });
}

async function onlyKey(tx: Tx, owner: number | null): Promise<number> {
  const [first, second] = await lockActiveKeys(tx, owner);
  if (first === undefined) throw new ApiError("api_key_not_found");
  if (second !== undefined) throw new ApiError("several_keys");
  return first;
}
