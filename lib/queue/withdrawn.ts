import type { Principal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import type { WithdrawnPosts, WithdrawnQuery } from "./schema.ts";
import { withdrawnRows } from "./sql.ts";

/** Posts that consumers had and that were withdrawn since, newest first. */
export async function listWithdrawn(
  { stream_ids }: Principal,
  { since, skip, limit }: WithdrawnQuery,
): Promise<WithdrawnPosts> {
  const rows = await withdrawnRows(stream_ids ?? [], since ?? null, skip, limit);
  return { withdrawn: rows.map(({ post_id, at }) => ({ fenliu_post_id: post_id, withdrawn_at: toIso(at) })) };
}
