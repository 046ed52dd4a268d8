import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { MAX_ID } from "./fields.ts";

interface Ids {
  params: Record<string, number>;
  raw: Record<string, string | string[]>;
}

/**
 * A post that was merged into another keeps its id as an alias. Called after a 404, so that other requests do not look it up.
 *
 * @returns the path parameters with the id of the post that stayed; null when there is none
 */
export async function idsOfMergedPost(error: unknown, { params, raw }: Ids): Promise<Ids | null> {
  if (!(error instanceof ApiError) || !/^(queue_)?post_not_found$/.test(error.code)) return null;
  const name = "post_id" in raw ? "post_id" : "id";
  const alias = Number(raw[name]);
  if (!Number.isInteger(alias) || alias < 1 || alias > MAX_ID) return null;
  const found = await db.post_alias.findUnique({ where: { id: alias }, select: { post_id: true } });
  if (found === null) return null;
  return {
    params: name in params ? { ...params, [name]: found.post_id } : params,
    raw: { ...raw, [name]: String(found.post_id) },
  };
}
