import { toIso } from "#lib/base/clock.ts";
import type { WithdrawnPosts, WithdrawnQuery } from "./schema.ts";
import { withdrawnRows } from "./sql.ts";

/** Posts that consumers had and that were withdrawn since, newest first. */
export async function listWithdrawn({ since, skip, limit }: WithdrawnQuery): Promise<WithdrawnPosts> {
  const rows = await withdrawnRows(since ?? null, skip, limit);
  return { withdrawn: rows.map(({ post_id, at }) => ({ fenliu_post_id: post_id, withdrawn_at: toIso(at) })) };
}
