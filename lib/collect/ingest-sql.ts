import { toIso } from "#lib/base/clock.ts";
import { Prisma, type Tx } from "#lib/base/db.ts";
import { rejectionNow, rejectionOf } from "#lib/blocking/find-blocks.ts";
import type { NewChecks } from "#lib/checks/score/score-texts.ts";
import { holdPosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import type { IngestRow } from "./post-row.ts";

export interface IngestStream {
  /** Null for imported posts whose stream was deleted. */
  id: number | null;
  hashtag: string | null;
  hashtag_folded: string | null;
}

export interface ImportedPost {
  id: number;
  /** ISO 8601. */
  fetched_at: string;
}

/** SQL: names of columns with a prefix. */
const columns = (names: readonly string[], prefix = "") =>
  Prisma.raw(names.map((name) => `${prefix}${name}`).join(", "));

const contentColumns = [
  "uri", "from_home", "edited_at", "content", "plain_text", "spoiler_text", "media", "poll", "boosts", "likes", "replies",
  "url", "author_display_name", "author_account", "author_key", "author_url", "author_avatar_url", "author_is_bot",
  "author_locked", "hashtags", "language", "sensitive", "quote", "related", "card", "emojis", "consent",
] as const satisfies (keyof IngestRow)[]; // prettier-ignore

/** A stored post, locked until the transaction ends. */
export interface KnownRow extends Pick<IngestRow, (typeof contentColumns)[number]> {
  id: number;
  queue_state: string | null;
  holds: number;
  /** Whether the content was erased. */
  erased: boolean;
  differs_since: Date | null;
  source_missing_at: Date | null;
  /** Whether it was confirmed more than an hour ago; six hours for a post in review. */
  confirmation_is_old: boolean;
  /** Whether the home server was asked within the last six hours. */
  asked_lately: boolean;
}

/** Locks known posts. NO KEY, because queue entries may be written meanwhile. */
export async function lockKnown(tx: Tx, uris: string[]): Promise<KnownRow[]> {
  const rows = await tx.$queryRaw<(Omit<KnownRow, "edited_at"> & { edited_at: Date | null })[]>`
    /* lock_known */ SELECT p.id, q.state AS queue_state, coalesce(q.holds, 0)::int AS holds, p.differs_since, p.source_missing_at,
           p.erased_at IS NOT NULL AS erased, ${columns(contentColumns, "p.")},
           coalesce(p.source_checked_at > now() - interval '6 hours', false) AS asked_lately,
           p.approved IS NOT FALSE AND coalesce(p.confirmed_at, 'epoch')
             < now() - CASE WHEN p.approved THEN 1 ELSE 6 END * interval '1 hour' AS confirmation_is_old
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.uri = ANY (${uris}::text[])
     ORDER BY p.id
       FOR NO KEY UPDATE OF p`;
  return rows.map((row) => ({ ...row, edited_at: toIso(row.edited_at) }));
}

export interface Past {
  /** Reason of the deletion, or the rule that dropped the post. */
  reason: string;
  /** True if consent dropped it. False if it was deleted: then it is a duplicate for ever. */
  dropped: boolean;
}

/** Tombstones of posts. Call it after `lockKnown`, so that a post deleted in between is found. */
export async function pastOf(tx: Tx, uris: string[]): Promise<Map<string, Past>> {
  if (uris.length === 0) return new Map();
  const rows = await tx.$queryRaw<(Past & { uri: string })[]>`
    SELECT u.uri, t.reason, t.dropped
      FROM unnest(${uris}::text[]) u (uri) JOIN tombstone t ON t.uri_hmac = uri_hmac(u.uri)`;
  return new Map(rows.map((row) => [row.uri, row]));
}

/** Stores refusals: a keyed hash of the uri, the rule and the day on which it was last seen. */
export async function noteRefusals(tx: Tx, refusals: { uri: string; rule: string }[]): Promise<void> {
  if (refusals.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO tombstone AS t (uri_hmac, reason, dropped)
    SELECT DISTINCT ON (h) h, r.rule, true
      FROM jsonb_to_recordset(${JSON.stringify(refusals)}::jsonb) AS r (uri text, rule text), uri_hmac(r.uri) h
     ORDER BY h
    ON CONFLICT (uri_hmac) DO UPDATE SET reason = excluded.reason, at = now()
     WHERE t.dropped AND (t.reason <> excluded.reason OR t.at < now() - interval '1 day')`;
}

interface InsertedRow {
  id: number;
  uri: string;
  auto_reject_reason: AutoRejectReason | null;
}

/** Columns of a post whose text was not checked. The classifier finds it. */
const UNCHECKED = {
  post: {
    ai_would_reject: null,
    ai_score: null,
    ai_reasons: [],
    ai_checks: [],
    text_reason: null,
    vision_category: null,
    vision_confidence: null,
    text_fingerprint: null,
    classified_at: null,
  },
  post_check: null,
} satisfies { post: Record<keyof NewChecks["post"], unknown>; post_check: null };

/**
 * Inserts posts with their sightings and checks, in order of uri, so that two streams with the same posts do not deadlock.
 * Posts that match a filter are rejected.
 */
export async function insertPosts(
  tx: Tx,
  stream: IngestStream,
  rows: readonly IngestRow[],
  checks: ReadonlyMap<string, NewChecks>,
  imported?: ReadonlyMap<string, ImportedPost>,
): Promise<InsertedRow[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const given = rows.map((row) => {
    const { post, post_check } = checks.get(row.uri) ?? UNCHECKED;
    return { ...row, ...post, ...imported?.get(row.uri), post_check };
  });
  const names = [...Object.keys(first), ...Object.keys(UNCHECKED.post)].filter(
    (name) => name !== "remote_id",
  );
  const reason = rejectionOf(
    Prisma.sql`r.author_key`,
    Prisma.sql`r.hashtags_folded || ${stream.hashtag_folded}::text`,
    Prisma.sql`r.related`,
    Prisma.sql`r.author_is_bot`,
  );
  return tx.$queryRaw<InsertedRow[]>`
    /* insert_posts */ WITH given AS MATERIALIZED (SELECT ${JSON.stringify(given)}::jsonb AS rows), new AS (
      INSERT INTO post (${columns(names)}, id, fetched_at, confirmed_at, confirmed_by, stream_id, stream_hashtag,
        stream_hashtag_folded, approved, reviewed_at, auto_reject_reason)
      SELECT ${columns(names, "r.")}, coalesce(r.id, nextval(pg_get_serial_sequence('post', 'id'))),
        coalesce(r.fetched_at, now()), CASE WHEN r.from_home THEN now() END,
        CASE WHEN r.from_home THEN uri_host(r.uri) END, ${stream.id}::int, ${stream.hashtag},
        ${stream.hashtag_folded}, CASE WHEN j.reason IS NOT NULL THEN false END,
        CASE WHEN j.reason IS NOT NULL THEN now() END, j.reason
      FROM given, jsonb_populate_recordset(NULL::post, rows) r, LATERAL (SELECT ${reason} AS reason OFFSET 0) j
      ORDER BY r.uri
      ON CONFLICT (uri) DO NOTHING
      RETURNING id, uri, auto_reject_reason
    ), stored AS (
      SELECT new.id, g.remote_id, g.post_check AS checks FROM given,
             jsonb_to_recordset(rows) AS g (uri text, remote_id text, post_check jsonb) JOIN new USING (uri)
    ), seen AS (
      INSERT INTO sighting (post_id, stream_id, remote_id)
      SELECT id, ${stream.id}::int, remote_id FROM stored WHERE ${stream.id}::int IS NOT NULL ORDER BY id
    ), checked AS (
      INSERT INTO post_check (post_id, rules, learner_score, learner_reasons, picture_state, picture_due_at)
      SELECT id, c.rules, c.learner_score, c.learner_reasons, c.picture_state, CASE WHEN c.picture_state = 'waiting' THEN now() END
        FROM stored, jsonb_populate_record(NULL::post_check, checks) c WHERE jsonb_typeof(checks) = 'object' ORDER BY id
    )
    SELECT * FROM new ORDER BY id`;
}

/** Rejections of edited posts in review that now match a filter. */
export async function rejectionsOf(
  tx: Tx,
  ids: number[],
): Promise<{ reason: AutoRejectReason; ids: number[] }[]> {
  if (ids.length === 0) return [];
  return tx.$queryRaw`
    SELECT reason, array_agg(id ORDER BY id) AS ids
      FROM (SELECT p.id, ${rejectionNow} AS reason FROM post p WHERE p.id = ANY (${ids}::int[])) r
     WHERE reason IS NOT NULL GROUP BY reason ORDER BY reason`;
}

/** The most exact entry of the block lists for each post that a filter rejects. */
export function rejectedBy(
  tx: Tx,
  ids: number[],
): Promise<{ id: number; reason: string; pattern: string | null; pattern_type: string | null }[]> {
  return tx.$queryRaw`
    SELECT p.id, p.auto_reject_reason AS reason, m.pattern, m.pattern_type
      FROM post p
      LEFT JOIN LATERAL (
        (SELECT b.account_identifier AS pattern, b.pattern_type FROM blocked_user b, unnest(p.related || p.author_key) account
          WHERE p.auto_reject_reason = 'blocked_user' AND account LIKE '%@%'
            AND user_pattern_matches(b.pattern_type, b.account_identifier, account)
          ORDER BY array_position(ARRAY['exact', 'domain', 'suffix', 'prefix', 'contains'], b.pattern_type), b.id LIMIT 1)
        UNION ALL
        (SELECT b.hashtag, 'hashtag' FROM blocked_hashtag b
          WHERE p.auto_reject_reason = 'blocked_hashtag'
            AND b.hashtag_folded = ANY (p.hashtags_folded || p.related || p.stream_hashtag_folded)
          ORDER BY b.id LIMIT 1)
      ) m ON true
     WHERE p.id = ANY (${ids}::int[]) ORDER BY p.id`;
}

/** Notes that this stream has seen the posts, also those of another stream. */
export async function noteSightings(
  tx: Tx,
  stream: IngestStream,
  seen: { uri: string; remote_id: string }[],
): Promise<void> {
  if (stream.id === null || seen.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO sighting (post_id, stream_id, remote_id)
    SELECT p.id, ${stream.id}::int, r.remote_id
      FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) AS r (uri text, remote_id text)
      JOIN post p ON p.uri = r.uri
     ORDER BY p.id
    ON CONFLICT DO NOTHING`;
}

export interface CounterRow {
  id: number;
  boosts: number;
  likes: number;
  replies: number;
}

export async function writeCounters(tx: Tx, rows: CounterRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE post p SET boosts = r.boosts, likes = r.likes, replies = r.replies
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id int, boosts int, likes int, replies int)
     WHERE p.id = r.id`;
}

/** Removes hashes and check results of pictures that the edited post no longer has. Call it before the edit is written. */
export async function forgetOldPictures(
  tx: Tx,
  rows: readonly { id: number; media: object[]; media_count: number }[],
): Promise<void> {
  const edits = JSON.stringify(rows.map(({ id, media, media_count }) => ({ id, media, media_count })));
  await tx.$executeRaw`
    WITH edit AS (
      SELECT p.id, p.media AS old, r.media AS new, r.media_count > 0 AS has_media
        FROM jsonb_to_recordset(${edits}::jsonb) AS r (id int, media jsonb, media_count int) JOIN post p ON p.id = r.id
       WHERE p.media <> r.media
    ), hashes AS (DELETE FROM picture_hash WHERE post_id IN (SELECT id FROM edit))
    UPDATE post_check
       SET pictures = '[]', picture_attempts = 0,
           picture_state = CASE WHEN has_media THEN 'waiting' ELSE 'none' END,
           picture_due_at = CASE WHEN has_media THEN now() END
      FROM edit
     WHERE post_id = edit.id
       AND (jsonb_path_query_array(old, '$[*].url'), jsonb_path_query_array(old, '$[*].preview_url'))
        <> (jsonb_path_query_array(new, '$[*].url'), jsonb_path_query_array(new, '$[*].preview_url'))`;
}

/** Columns that an edit never changes, and `remote_id`, which is not a column of `post`. */
const FIXED_COLUMNS = new Set(["id", "uri", "created_at", "visibility", "remote_id"]);

/** Writes new content. An edit is a new version and is classified again. */
export async function writeContent(
  tx: Tx,
  rows: (IngestRow & { id: number })[],
  edited: boolean,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const reclassify = edited ? Prisma.sql`NULL` : Prisma.sql`p.classified_at`;
  const raised = edited ? 1 : 0;
  await forgetOldPictures(tx, rows);
  // The learner forgets posts whose handle is corrected, because a later refusal would not find them.
  await tx.$executeRaw`
    SELECT unlearn('{}', false, array_agg(p.author_key))
      FROM post p JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id int, author_key text) ON r.id = p.id
     WHERE p.author_key <> r.author_key AND split_part(p.author_key, '@', 1) = split_part(r.author_key, '@', 1)`;
  const names = Object.keys(first).filter((name) => !FIXED_COLUMNS.has(name));
  await tx.$executeRaw`
    UPDATE post p SET (${columns(names)}) = ROW (${columns(names, "r.")}),
      classified_at = ${reclassify}, updated_at = now(), version = p.version + ${raised}::int
      FROM jsonb_populate_recordset(NULL::post, ${JSON.stringify(rows)}::jsonb) r
     WHERE p.id = r.id`;
}

export interface Doubt {
  id: number;
  /** Time of an edit that is not stored yet, so that an older version is recognised. */
  edited_at: string | null;
}

/** Holds posts until their home servers settle the doubts. */
export async function holdDoubtful(tx: Tx, doubts: readonly Doubt[]): Promise<void> {
  if (doubts.length === 0) return;
  await tx.$executeRaw`
    UPDATE post p SET differs_since = coalesce(p.differs_since, now()), edited_at = greatest(p.edited_at, d.edited_at)
      FROM jsonb_to_recordset(${JSON.stringify(doubts)}::jsonb) AS d (id int, edited_at timestamptz)
     WHERE p.id = d.id`;
  const ids = doubts.map(({ id }) => id);
  await holdPosts(tx, ids, "differs");
  await wantSourceChecks(tx, ids);
}
