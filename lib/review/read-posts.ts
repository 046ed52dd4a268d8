import { isoTimes, type RowOf } from "#lib/base/clock.ts";
import { db, type Prisma } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { showChecks } from "#lib/checks/score/show-checks.ts";
import { findSeenBefore } from "#lib/media/find-seen-before.ts";
import { cardColumns, postColumns, type PostRow } from "./post-row.ts";
import type { HistoryLine, Post, PostCard, PostDetail } from "./post-schema.ts";
import type { ShownPost } from "./shown-post-schema.ts";
import { serializePost } from "./serialize.ts";

/** Lines of a history, the newest ones. A post that is nacked for ever gets a line a minute. */
const MAX_HISTORY = 1000;

/** Posts by id, without those that do not exist. */
export const readPosts = (ids: number[]) => read(postColumns, ids);
/** The same with the fields of a card. */
export const readCards = (ids: number[]) => read(cardColumns, ids) as Promise<Map<number, PostCard>>;

async function read(columns: Prisma.Sql, ids: number[]): Promise<Map<number, Post>> {
  const rows = await db.$queryRaw<PostRow[]>`
    SELECT ${columns}
      FROM post p LEFT JOIN queue_entry e ON e.post_id = p.id
     WHERE p.id = ANY (${ids}::int[])`;
  return new Map(rows.map((row) => [row.id, serializePost(row)]));
}

/**
 * One post with its history, oldest line first.
 * @throws post_not_found
 */
export async function getPost(id: number): Promise<PostDetail> {
  const [posts, history] = await Promise.all([
    readCards([id]),
    db.$queryRaw<RowOf<HistoryLine>[]>`
      SELECT e.at, e.actor, e.member_id, e.source, e.action, e.from_state AS "from", e.to_state AS "to", e.note, r.label AS reject_reason_label
        FROM post_event e LEFT JOIN reject_reason r ON r.id = (e.details -> 'reject_reason_id' ->> 'to')::int
       WHERE e.post_id = ${id} ORDER BY e.id DESC LIMIT ${MAX_HISTORY}`,
  ]);
  const post = posts.get(id);
  if (!post) throw new ApiError("post_not_found");
  return { ...post, history: history.reverse().map(isoTimes) };
}

/**
 * A post with its history, the results of its checks and the earlier posts with its pictures.
 *
 * @throws post_not_found
 */
export async function showPost(id: number): Promise<ShownPost> {
  const [post, checks, seen_before] = await Promise.all([getPost(id), showChecks(id), findSeenBefore(id)]);
  return { ...post, ...checks, seen_before };
}
