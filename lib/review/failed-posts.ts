import { db, Prisma } from "#lib/base/db.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { errorPostRows } from "#lib/queue/error-groups.ts";
import type { ErrorBatch, ErrorGroup } from "#lib/queue/schema.ts";
import { decide } from "./decide.ts";
import type { FailedPost, FailedPosts, FailedQuery } from "./failed-schema.ts";
import type { Post } from "./post-schema.ts";
import { readPosts } from "./read-posts.ts";

/** Reasons that are listed, the most frequent ones, and posts of each. */
const MAX_REASONS = 200;
const POSTS_EACH = 3;

/** Posts in state `error`, newest report first. */
export async function listFailedPosts(query: FailedQuery): Promise<FailedPosts> {
  const rows = await rowsOf(query);
  const matched = rows.flatMap((row) => matchedId(row) ?? []);
  const posts = await readPosts([...rows.map((row) => row.post_id), ...matched]);
  const items = rows.flatMap((row): FailedPost | [] => {
    const post = posts.get(row.post_id);
    if (post === undefined) return [];
    return {
      ...post,
      content_snippet: row.snippet,
      reported_by: row.reported_by,
      timeouts: row.timeouts,
      matched: describeMatch(posts.get(matchedId(row) ?? 0)),
    };
  });
  return { items };
}

interface FailedRow {
  post_id: number;
  snippet: string;
  reported_by: string | null;
  timeouts: number;
  /** The consumer's text, unchanged. */
  matched: string | null;
}

function rowsOf({ duplicates, limit }: FailedQuery): Promise<FailedRow[]> {
  const wanted =
    duplicates === true
      ? Prisma.sql`q.error_details ->> 'error_type' = 'duplicate_attachment'`
      : Prisma.sql`q.post_id IN (SELECT unnest(ids) FROM (
          SELECT (array_agg(post_id ORDER BY errored_at DESC, post_id DESC))[:${POSTS_EACH}::int] AS ids
            FROM queue_entry WHERE state = 'error'
           GROUP BY error_reason ORDER BY count(*) DESC, error_reason LIMIT ${MAX_REASONS}::int) g)`;
  return db.$queryRaw<FailedRow[]>`
    SELECT q.post_id, p.snippet, q.lease_label AS reported_by, q.timeouts, q.error_details ->> 'matched_post_id' AS matched
      FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND ${wanted} ORDER BY q.errored_at DESC, q.post_id DESC
     LIMIT ${duplicates === true ? limit : MAX_REASONS * POSTS_EACH}::int`;
}

function matchedId({ matched }: FailedRow): number | null {
  const id = /^[1-9]\d{0,9}$/.test(matched ?? "") ? Number(matched) : 0;
  return id === 0 || id > MAX_ID ? null : id;
}

function describeMatch(post: Post | undefined): FailedPost["matched"] {
  if (post === undefined) return null;
  const { id, author_account, media_covered } = post;
  return { post_id: id, author_account, media_covered };
}

/** Rejects up to `limit` posts that failed for this reason, oldest error first. */
export async function dismissErrors(
  principal: Principal,
  { reason, limit }: ErrorGroup,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await errorPostRows(tx, reason, limit);
    const only = (_post: object, state: string) => state === "error";
    const { changed } = await decide(tx, principal, ids, false, { note: reason, only });
    return { changed: changed.length };
  });
}
