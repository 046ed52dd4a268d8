import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import type { PostDetail } from "./schema.ts";
import { serializeCard, serializeHistory } from "./serialize.ts";
import { historyRows, readRows } from "./sql.ts";

/**
 * One post with its history, oldest line first.
 * @throws post_not_found
 */
export async function getPost(id: number): Promise<PostDetail> {
  const [[row], history] = await Promise.all([readRows(db, [id]), historyRows(db, id)]);
  if (!row) throw new ApiError("post_not_found");
  return { ...serializeCard(row, row), history: history.map(serializeHistory) };
}
