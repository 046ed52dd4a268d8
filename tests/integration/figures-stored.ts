import { db } from "#lib/db.ts";

/** A stored post as one sees it by looking: what filters ask about, and what its entry waits for. */
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
  state: string | null;
  /** Of a pending entry; a hold counts before a time, a time before a switch. */
  waits: "for nothing" | "for its time" | "behind a hold" | null;
}

export async function readStored(): Promise<Stored[]> {
  return db.$queryRaw<Stored[]>`
    SELECT p.stream_id, p.approved, p.language, p.media_count::int, p.ai_would_reject, p.vision_category, p.author_key,
           p.instance, p.created_at, p.plain_text, e.state,
           CASE WHEN e.state IS DISTINCT FROM 'pending' THEN NULL
                WHEN e.holds <> 0 THEN 'behind a hold'
                WHEN e.not_before IS NOT NULL THEN 'for its time'
                WHEN (s.require_media AND e.lacks & 1 <> 0) THEN 'behind a hold'
                ELSE 'for nothing' END AS waits
      FROM export_setting s, post p LEFT JOIN queue_entry e ON e.post_id = p.id ORDER BY p.id`;
}

/** Steps beside those of the walk, which change no counter: what posts look like, and what keeps them in the queue. */
export function colour(name: string, seed: number): () => Promise<unknown> {
  const some = `(id + ${seed % 97}) % 3 = 0`;
  const entries = `state = 'pending' AND (post_id + ${seed % 89}) % 2 = 0`;
  const statements: Record<string, string> = {
    colour: `UPDATE post SET language = (ARRAY['en', 'en-GB', 'ja', NULL])[1 + id % 4],
               ai_would_reject = (ARRAY[true, false, NULL])[1 + id % 3],
               vision_category = (ARRAY['none', 'explicit', NULL])[1 + id % 3],
               plain_text = (ARRAY['otter', 'heron'])[1 + id % 2],
               search = array_to_tsvector(ARRAY[(ARRAY['otter', 'heron'])[1 + id % 2]])
             WHERE ${some}`,
    hold: `UPDATE queue_entry SET holds = holds | 4 WHERE ${entries}`,
    keepBack: `UPDATE queue_entry SET refusals = 6, not_before = now() + interval '1 hour'
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
  has: (post: Stored) => boolean;
}

/** Every filter of GET /posts with values that some posts have, and the same question asked of one post. */
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
  ];
}

function filter(name: string, value: string, has: Filter["has"]): Filter {
  return { name, value, has };
}
