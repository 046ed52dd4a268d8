import { db } from "#lib/db.ts";

export interface Stored {
  stream_id: number | null;
  approved: boolean | null;
  language: string | null;
  media_count: number;
  ai_would_reject: boolean | null;
  vision_category: string | null;
  author_key: string;
  instance: string;
  created_at: Date;
  plain_text: string;
  fetched_at: Date;
  reviewed_at: Date | null;
  auto_reject_reason: string | null;
  reviewed_by: string | null;
  reviewed_by_member: number | null;
  state: string | null;
  approved_at: Date | null;
  delivered_at: Date | null;
  errored_at: Date | null;
  error_reason: string | null;
  /** Of a pending entry; a hold comes before a backoff. */
  pending_state: "eligible" | "backoff" | "held" | null;
}

export async function readStored(): Promise<Stored[]> {
  return db.$queryRaw<Stored[]>`
    SELECT p.stream_id, p.approved, p.language, p.media_count::int, p.ai_would_reject, p.vision_category, p.author_key,
           p.instance, p.created_at, p.plain_text, p.fetched_at, p.reviewed_at, p.auto_reject_reason, p.reviewed_by,
           p.reviewed_by_member, e.state, e.approved_at, e.delivered_at, e.errored_at, e.error_reason,
           CASE WHEN e.state IS DISTINCT FROM 'pending' THEN NULL
                WHEN e.holds <> 0 OR (s.require_media AND e.missing & 1 <> 0) THEN 'held'
                WHEN e.not_before IS NOT NULL THEN 'backoff'
                ELSE 'eligible' END AS pending_state
      FROM export_setting s, post p LEFT JOIN queue_entry e ON e.post_id = p.id ORDER BY p.id`;
}

export function changeAttributes(name: string, seed: number): () => Promise<unknown> {
  const some = `(id + ${seed % 97}) % 3 = 0`;
  const entries = `state = 'pending' AND (post_id + ${seed % 89}) % 2 = 0`;
  const statements: Record<string, string> = {
    attributes: `UPDATE post SET reviewed_by = (ARRAY['Bot', 'Ann'])[1 + id % 2],
               reviewed_by_member = nullif(7 * (id % 2), 0), language = (ARRAY['en', 'en-GB', 'ja', NULL])[1 + id % 4],
               ai_would_reject = (ARRAY[true, false, NULL])[1 + id % 3],
               vision_category = (ARRAY['none', 'explicit', NULL])[1 + id % 3],
               plain_text = (ARRAY['otter', 'heron'])[1 + id % 2],
               search = array_to_tsvector(ARRAY[(ARRAY['otter', 'heron'])[1 + id % 2]])
             WHERE ${some}`,
    hold: `UPDATE queue_entry SET holds = holds | 8 WHERE ${entries}`,
    backOff: `UPDATE queue_entry SET refusals = 6, not_before = now() + interval '1 hour'
                WHERE state = 'pending' AND post_id % 3 = 0`,
    switch: "UPDATE export_setting SET require_media = NOT require_media",
  };
  const statement = statements[name];
  if (statement === undefined) throw new Error(`no step ${name}`);
  return () => db.$executeRawUnsafe(statement);
}

export interface Filter {
  name: string;
  value: string;
  more?: string;
  has: (post: Stored) => boolean;
}

/** All filters of GET /posts with values that occur, each with its condition for one post. */
export function filters(streamIds: readonly number[], stored: readonly Stored[]): Filter[] {
  const middle = stored[Math.floor(stored.length / 2)];
  const time = middle?.created_at ?? new Date();
  const author = middle?.author_key ?? "nobody@nowhere.example";
  return [
    ...streamIds.map((id) => filter("stream_id", String(id), (post) => post.stream_id === id)),
    filter("approved", "true", (post) => post.approved === true),
    filter("approved", "false", (post) => post.approved === false),
    filter("reviewed", "true", (post) => post.approved !== null),
    filter("reviewed", "false", (post) => post.approved === null),
    filter("queue_status", "waiting", (post) => post.state === "pending" || post.state === "reserved"),
    ...["pending", "reserved", "delivered", "error"].map((state) =>
      filter("queue_status", state, (post) => post.state === state),
    ),
    filter("q", "otter", (post) => post.plain_text === "otter"),
    filter("language", "en", (post) => post.language === "en" || post.language === "en-GB"),
    filter("has_media", "true", (post) => post.media_count > 0),
    filter("has_media", "false", (post) => post.media_count === 0),
    filter("ai_would_reject", "true", (post) => post.ai_would_reject === true),
    filter("vision_category", "explicit", (post) => post.vision_category === "explicit"),
    filter("author", `@${author}`, (post) => post.author_key === author),
    filter("instance", "host1.example", (post) => post.instance === "host1.example"),
    filter("since", time.toISOString(), (post) => post.created_at >= time),
    filter("until", time.toISOString(), (post) => post.created_at <= time),
    filter("happened", "created", () => true),
    ...(["fetched_at", "reviewed_at", "delivered_at", "errored_at"] as const).flatMap((column) => [
      filter("happened", column.replace("_at", ""), (post) => post[column] !== null),
      ...aroundMiddle(column, stored),
    ]),
    filter("reviewer", "7", (post) => byPeople(post) && post.reviewed_by_member === 7),
    filter("reviewer", "0", (post) => byPeople(post) && post.reviewed_by_member === null),
    filter("reviewed_by", "Ann", (post) => byPeople(post) && post.reviewed_by === "Ann"),
    filter("auto_rejected", "true", byFilters),
    filter("auto_rejected", "false", (post) => !byFilters(post)),
    filter(
      "auto_reject_reason",
      "blocked_user",
      (post) => byFilters(post) && post.auto_reject_reason === "blocked_user",
    ),
    filter("error_reason", "gone", (post) => post.error_reason === "gone"),
    filter("waited_for_review", "7200", (post) => waited(post.fetched_at, post.reviewed_at) >= 7200),
    filter("waited_for_delivery", "1", (post) => waited(post.approved_at, post.delivered_at) >= 1),
  ];
}

const byFilters = (post: Stored) => post.approved === false && post.auto_reject_reason !== null;
const byPeople = (post: Stored) => post.approved !== null && !byFilters(post);
const waited = (from: Date | null, to: Date | null) =>
  from === null || to === null ? -Infinity : (to.getTime() - from.getTime()) / 1000;

function aroundMiddle(
  column: "fetched_at" | "reviewed_at" | "delivered_at" | "errored_at",
  stored: readonly Stored[],
): Filter[] {
  const times = stored.flatMap((post) => post[column] ?? []).sort((a, b) => a.getTime() - b.getTime());
  const time = times[Math.floor(times.length / 2)] ?? new Date();
  const happened = column.replace("_at", "");
  return [
    {
      ...filter("happened", happened, (post) => (post[column] ?? -Infinity) >= time),
      more: `since=${time.toISOString()}`,
    },
    {
      ...filter("happened", happened, (post) => (post[column] ?? Infinity) <= time),
      more: `until=${time.toISOString()}`,
    },
  ];
}

/** False when `happened` changes the meaning of `since` and `until`. */
export function areIndependent(one: Filter, other: Filter): boolean {
  const times = ["since", "until"];
  if (one.name === "happened" && one.value !== "created") return !times.includes(other.name);
  if (other.name === "happened" && other.value !== "created") return !times.includes(one.name);
  return true;
}

function filter(name: string, value: string, has: Filter["has"]): Filter {
  return { name, value, has };
}
