import { db, Prisma } from "#lib/base/db.ts";
import type { ReviewLogQuery } from "./log-schema.ts";

/** The post's columns are null when it is deleted. */
export interface LogRow {
  id: bigint;
  at: Date;
  actor: string;
  member_id: number | null;
  source: string;
  action: string;
  post_id: number;
  from_state: string | null;
  to_state: string | null;
  note: string | null;
  details: unknown;
  reject_reason: number | null;
  reject_reason_label: string | null;
  /** Of a batch: the author of all its posts. */
  batch_author: string | null;
  uri: string | null;
  url: string | null;
  author_account: string | null;
  snippet: string | null;
  emojis: unknown;
  /** Version of the post that was last reviewed. */
  reviewed_version: number | null;
}

/**
 * Must equal the predicate of post_event_review_idx. Leaves out the lines of single posts in a batch.
 */
const isReview = Prisma.sql`
  e.action IN ('approve', 'reject', 'unreview', 'auto_reject', 'skip', 'unskip', 'note', 'score', 'batch', 'batch_undo', 'edit', 'delete')
  AND e.details ->> 'batch_id' IS NULL`;

/** The reason that a line gives. */
const reasonId = Prisma.sql`(e.details -> 'reject_reason_id' ->> 'to')::int`;

/** Newest first, and one more than `limit` when there is a next page. */
export function logStatement(query: ReviewLogQuery): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  // Index post_event_batch_idx.
  if (query.batch !== undefined)
    conditions.push(
      Prisma.sql`e.details ->> 'batch_id' = ${query.batch} AND e.post_id <> 0 AND e.action <> 'error'`,
    );
  // The log of one post includes batches.
  else if (query.post_id !== undefined) conditions.push(Prisma.sql`e.post_id = ${query.post_id}`);
  else conditions.push(isReview);
  if (query.cursor !== undefined) conditions.push(Prisma.sql`e.id < ${BigInt(query.cursor)}`);
  if (query.actor !== undefined) conditions.push(Prisma.sql`e.actor = ${query.actor}`);
  if (query.member_id !== undefined) conditions.push(Prisma.sql`e.member_id = ${query.member_id}`);
  if (query.action !== undefined) conditions.push(Prisma.sql`e.action = ${query.action}`);
  if (query.reject_reason !== undefined) conditions.push(Prisma.sql`${reasonId} = ${query.reject_reason}`);
  if (query.source !== undefined) conditions.push(Prisma.sql`e.source = ${query.source}`);
  if (query.since !== undefined) conditions.push(Prisma.sql`e.at >= ${query.since}::timestamptz`);
  if (query.until !== undefined) conditions.push(Prisma.sql`e.at <= ${query.until}::timestamptz`);
  return Prisma.sql`
    SELECT e.id, e.at, e.actor, e.member_id, e.source, e.action, e.post_id, e.from_state, e.to_state, e.note, e.details,
           r.id AS reject_reason, r.label AS reject_reason_label, p.uri, p.url, p.author_account, p.snippet, p.emojis, p.reviewed_version,
           (SELECT CASE WHEN count(DISTINCT b.author_account) = 1 THEN min(b.author_account) END
              FROM post_event part JOIN post b ON b.id = part.post_id
             WHERE part.details ->> 'batch_id' = e.details ->> 'batch' AND part.post_id <> 0 AND part.action <> 'error'
           ) AS batch_author
      FROM (SELECT * FROM post_event e WHERE ${Prisma.join(conditions, " AND ")}
             ORDER BY e.id DESC LIMIT ${query.limit + 1}) e
      LEFT JOIN post p ON p.id = e.post_id
      LEFT JOIN reject_reason r ON r.id = ${reasonId}
     ORDER BY e.id DESC`;
}

export function logRows(query: ReviewLogQuery): Promise<LogRow[]> {
  return db.$queryRaw<LogRow[]>(logStatement(query));
}

/** Index post_decided_idx. */
export async function decidedSince(memberId: number, since: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM post
     WHERE approved IS NOT NULL AND reviewed_by_member = ${memberId} AND auto_reject_reason IS NULL
       AND reviewed_at >= ${since}::timestamptz`;
  return row?.n ?? 0;
}
