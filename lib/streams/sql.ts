import { db, Prisma, type Tx } from "#lib/db.ts";
import type { ConsentPolicy } from "./schema.ts";

/** A stream with its figures from `counter_now`; bigint sums arrive as bigint. */
export interface StreamRow {
  id: number;
  hashtag: string;
  hashtag_folded: string;
  instance: string;
  active: boolean;
  enable_scheduling: boolean;
  fetch_interval_minutes: number;
  next_scheduled_fetch: Date | null;
  last_fetch: Date | null;
  last_check: Date | null;
  last_error: string | null;
  behind_since: Date | null;
  platform: string | null;
  consent_policy: ConsentPolicy;
  consent_list: string[];
  require_media: boolean;
  drop_replies: boolean;
  languages: string[];
  created_at: Date;
  updated_at: Date;
  post_count: bigint;
  approved_count: bigint;
  rejected_count: bigint;
  unreviewed_count: bigint;
}

/** What an operator may set. */
export type StreamSettings = Pick<
  StreamRow,
  | "hashtag"
  | "instance"
  | "active"
  | "enable_scheduling"
  | "fetch_interval_minutes"
  | "consent_policy"
  | "consent_list"
  | "require_media"
  | "drop_replies"
  | "languages"
>;

// Figures are looked up a stream: with a join the planner would add up every stream's deltas.
const columns = Prisma.sql`
  s.id, s.hashtag, s.hashtag_folded, s.instance, s.active, s.enable_scheduling, s.fetch_interval_minutes,
  s.next_scheduled_fetch, s.last_fetch, s.last_check, s.last_error, s.behind_since, s.platform, s.consent_policy, s.consent_list,
  s.require_media, s.drop_replies, s.languages, s.created_at, s.updated_at,
  coalesce(c.posts, 0) AS post_count, coalesce(c.approved, 0) AS approved_count,
  coalesce(c.rejected, 0) AS rejected_count, coalesce(c.unreviewed, 0) AS unreviewed_count`;

/** One stream, null when there is none. */
export async function streamRow(tx: Tx, id: number): Promise<StreamRow | null> {
  const rows = await tx.$queryRaw<StreamRow[]>`
    SELECT ${columns} FROM stream s
    LEFT JOIN LATERAL (SELECT * FROM counter_now n WHERE n.stream_id = s.id) c ON true
    WHERE s.id = ${id}`;
  return rows[0] ?? null;
}

/** A page of streams by id. `active` null: all. The figures are added up once for the whole page. */
export async function streamRows(active: boolean | null, skip: number, limit: number): Promise<StreamRow[]> {
  return db.$queryRaw<StreamRow[]>`
    SELECT ${columns}
    FROM (SELECT * FROM stream WHERE ${active}::boolean IS NULL OR active = ${active}::boolean
          ORDER BY id OFFSET ${skip} LIMIT ${limit}) s
    LEFT JOIN counter_now c ON c.stream_id = s.id
    ORDER BY s.id`;
}

/** Inserts a stream; null when its pair of hashtag and instance exists. The first fetch is due at once. */
export async function insertStream(
  tx: Tx,
  settings: StreamSettings & { hashtag_folded: string },
): Promise<number | null> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO stream (hashtag, hashtag_folded, instance, active, enable_scheduling, fetch_interval_minutes,
                        consent_policy, consent_list, require_media, drop_replies, languages, next_scheduled_fetch,
                        platform)
    VALUES (${settings.hashtag}, ${settings.hashtag_folded}, ${settings.instance}, ${settings.active},
            ${settings.enable_scheduling}, ${settings.fetch_interval_minutes}, ${settings.consent_policy},
            ${settings.consent_list}::text[], ${settings.require_media}, ${settings.drop_replies}, ${settings.languages}::text[],
            CASE WHEN ${settings.active}::boolean AND ${settings.enable_scheduling}::boolean THEN now() END,
            (SELECT software FROM host_state WHERE host = ${settings.instance}))
    ON CONFLICT (hashtag_folded, instance) DO NOTHING
    RETURNING id`;
  return rows[0]?.id ?? null;
}

/** Settings of a stream, locked until the transaction ends. */
export async function lockSettings(tx: Tx, id: number): Promise<StreamSettings | null> {
  const rows = await tx.$queryRaw<StreamSettings[]>`
    SELECT hashtag, instance, active, enable_scheduling, fetch_interval_minutes, consent_policy, consent_list,
           require_media, drop_replies, languages
    FROM stream WHERE id = ${id} FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * Writes settings and what follows from them. `moved`: another hashtag or host, so the positions mean nothing any
 * more and a run under way loses its lease. `woken`: fetching starts (again), the first fetch is due at once.
 */
export async function writeSettings(
  tx: Tx,
  id: number,
  settings: StreamSettings & { hashtag_folded: string },
  change: { moved: boolean; woken: boolean },
): Promise<void> {
  const scheduled = settings.active && settings.enable_scheduling;
  await tx.$executeRaw`
    UPDATE stream SET
      hashtag = ${settings.hashtag}, hashtag_folded = ${settings.hashtag_folded}, instance = ${settings.instance},
      active = ${settings.active}, enable_scheduling = ${settings.enable_scheduling},
      fetch_interval_minutes = ${settings.fetch_interval_minutes}, consent_policy = ${settings.consent_policy},
      consent_list = ${settings.consent_list}::text[], require_media = ${settings.require_media}, drop_replies = ${settings.drop_replies},
      languages = ${settings.languages}::text[], updated_at = now(),
      behind_since = CASE WHEN NOT ${change.moved}::boolean THEN behind_since END,
      next_scheduled_fetch = CASE
        WHEN NOT ${scheduled}::boolean THEN NULL
        WHEN ${change.woken || change.moved}::boolean THEN now()
        -- A shorter interval acts now, a longer one from the next fetch on.
        ELSE least(coalesce(next_scheduled_fetch, now()),
                   now() + ${settings.fetch_interval_minutes}::int * interval '1 minute') END
    WHERE id = ${id}`;
  if (!change.moved) return;
  await tx.$executeRaw`
    UPDATE stream SET cursor = '{}', fetch_lease = NULL, fetch_lease_until = NULL, last_error = NULL, error_count = 0,
                      platform = (SELECT software FROM host_state WHERE host = ${settings.instance})
    WHERE id = ${id}`;
}
