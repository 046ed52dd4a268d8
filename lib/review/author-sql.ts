import { db } from "#lib/base/db.ts";

export interface AuthorHistoryRow {
  author_key: string;
  stored: number;
  approved: number;
  rejected: number;
  auto_rejected: number;
}

/** Only the newest posts, so that prolific authors do not slow the deck. */
const COUNTED = 1000;

export async function authorHistoryRows(authorKeys: string[]): Promise<AuthorHistoryRow[]> {
  return db.$queryRaw<AuthorHistoryRow[]>`
    SELECT k.author_key, s.stored, n.approved, n.rejected, n.auto_rejected
      FROM unnest(${authorKeys}::text[]) k (author_key)
      LEFT JOIN LATERAL (
        SELECT count(*)::int AS stored
          FROM (SELECT FROM post p WHERE p.author_key = k.author_key LIMIT ${COUNTED}) counted) s ON true
      LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE approved)::int AS approved, count(*) FILTER (WHERE NOT approved)::int AS rejected,
               count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)::int AS auto_rejected
          FROM (SELECT approved, auto_reject_reason FROM post p WHERE p.author_key = k.author_key AND approved IS NOT NULL
                 ORDER BY created_at DESC, id DESC LIMIT ${COUNTED}) counted) n ON true`;
}

export interface AuthorRow {
  posts: number;
  approved: number;
  rejected: number;
  auto_rejected: number;
  unreviewed: number;
  first_post_at: Date | null;
  last_post_at: Date | null;
  account: string | null;
  display_name: string | null;
  url: string | null;
  avatar_url: string | null;
  is_bot: boolean | null;
}

/** Always one row. */
export async function authorRow(authorKey: string): Promise<AuthorRow> {
  const rows = await db.$queryRaw<AuthorRow[]>`
    SELECT n.*, l.account, l.display_name, l.url, l.avatar_url, l.is_bot
      FROM (SELECT count(*)::int AS posts, count(*) FILTER (WHERE approved)::int AS approved,
                   count(*) FILTER (WHERE NOT approved)::int AS rejected,
                   count(*) FILTER (WHERE NOT approved AND auto_reject_reason IS NOT NULL)::int AS auto_rejected,
                   count(*) FILTER (WHERE approved IS NULL)::int AS unreviewed,
                   min(created_at) AS first_post_at, max(created_at) AS last_post_at
              FROM post WHERE author_key = ${authorKey}) n
      LEFT JOIN LATERAL (SELECT author_account AS account, author_display_name AS display_name, author_url AS url,
                                author_avatar_url AS avatar_url, author_is_bot AS is_bot
                           FROM post WHERE author_key = ${authorKey} ORDER BY created_at DESC, id DESC LIMIT 1) l ON true`;
  return rows[0] as AuthorRow;
}
