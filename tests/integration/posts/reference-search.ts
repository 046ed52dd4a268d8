import { setSwitches } from "#tests/setup/factories.ts";
import { db } from "#lib/base/db.ts";
import { heldBy } from "#lib/queue/holds.ts";
import type { PostQuery } from "#lib/review/filter-schema.ts";
import type { LargeTable } from "#tests/integration/database/large-table.ts";

/* Reference for filters and search: a scan of all posts in JavaScript. */

/** Gives many posts equal scores, authors or times, and holds some entries. */
export async function addTies(): Promise<void> {
  await db.$executeRaw`
    UPDATE post SET ai_score = CASE WHEN id % 3 > 0 THEN ai_score END,
                    author_key = CASE WHEN id % 4 = 0 THEN 'busy@host0.example' ELSE author_key END,
                    created_at = date_trunc('minute', created_at) + (id % 60 / 10) * interval '10 seconds'`;
  await db.$executeRaw`
    UPDATE queue_entry e SET author_key = p.author_key, post_created_at = p.created_at,
           missing = p.id / 40 % 8, holds = CASE WHEN p.id / 320 % 2 = 0 THEN 8 ELSE 0 END
      FROM post p WHERE p.id = e.post_id`;
  await setSwitches({ require_media: true });
  for (const table of ["post", "queue_entry"]) await db.$executeRawUnsafe(`VACUUM ANALYZE ${table}`);
}

async function read() {
  const [posts, sightings] = await Promise.all([
    db.post.findMany({ include: { queue_entry: true } }),
    db.sighting.findMany(),
  ]);
  const words = await db.$queryRaw<{ id: number; words: string[] }[]>`
    SELECT id, tsvector_to_array(search) AS words FROM post`;
  const wordsOf = new Map(words.map((row) => [row.id, row.words]));
  const streams = new Map<number, number[]>();
  for (const { post_id, stream_id } of sightings)
    streams.set(post_id, [...(streams.get(post_id) ?? []), stream_id]);
  return posts.map((post) => ({
    ...post,
    entry: post.queue_entry,
    words: new Set(wordsOf.get(post.id)),
    seen_in: streams.get(post.id) ?? [],
    held_by: post.queue_entry && post.queue_entry.state !== "delivered" ? heldBy(post.queue_entry) : null,
  }));
}

export type ScannedPost = Awaited<ReturnType<typeof read>>[number];
let cached: Promise<ScannedPost[]> | null = null;
let streamIds: LargeTable["streamIds"] = [0, 0];

export function readAllPosts(table: LargeTable): Promise<ScannedPost[]> {
  streamIds = table.streamIds;
  return (cached ??= read());
}

const reviewerFilter = (post: ScannedPost) => post.approved === true || post.auto_reject_reason === null;
const twoHoursAgo = new Date(Date.now() - 7_200_000);

/** Query strings (BIG and RARE stand for the streams) with their predicates. */
export const predicates: Record<string, (post: ScannedPost) => boolean> = {
  "": () => true,
  "stream_id=BIG": (p) => p.stream_id === streamIds[0],
  "stream_id=RARE": (p) => p.stream_id === streamIds[1],
  "reviewed=false": (p) => p.approved === null,
  "approved=false": (p) => p.approved === false,
  "language=ja": (p) => p.language === "ja",
  "has_media=true": (p) => p.media_count > 0,
  "language=de&approved=true": (p) => p.language === "de" && p.approved === true,
  "queue_status=delivered": (p) => p.entry?.state === "delivered",
  "queue_status=error": (p) => p.entry?.state === "error",
  "seen_in=RARE": (p) => p.seen_in.includes(streamIds[1]),
  "instance=host7.example": (p) => p.instance === "host7.example",
  "author=user7@host7.example": (p) => p.author_key === "user7@host7.example",
  "author=busy@host0.example&has_media=false": (p) =>
    p.author_key === "busy@host0.example" && p.media_count === 0,
  [`until=${twoHoursAgo.toISOString()}`]: (p) => p.created_at <= twoHoursAgo,
  "held_by=any": (p) => p.held_by !== null,
  "held_by=require_media&queue_status=pending": (p) =>
    p.held_by === "require_media" && p.entry?.state === "pending",
  "held_by=unverifiable&language=en": (p) => p.held_by === "unverifiable" && p.language === "en",
  "queue_status=delivered&language=de": (p) => p.entry?.state === "delivered" && p.language === "de",
  "queue_status=pending&happened=fetched": (p) => p.entry?.state === "pending",
  "happened=fetched&instance=host7.example": (p) => p.instance === "host7.example",
  "happened=reviewed&auto_rejected=false&approved=false": (p) =>
    p.approved === false && p.auto_reject_reason === null,
  "happened=delivered&has_media=true": (p) => p.entry?.state === "delivered" && p.media_count > 0,
  "happened=errored&error_reason=gone": (p) => p.entry?.state === "error" && p.entry.error_reason === "gone",
  "auto_reject_reason=blocked_user": (p) => p.approved === false && p.auto_reject_reason === "blocked_user",
  "reviewed_by=Member 8": (p) => p.approved !== null && reviewerFilter(p) && p.reviewed_by === "Member 8",
  "ai_would_reject=true&vision_category=none": (p) =>
    p.ai_would_reject === true && p.vision_category === "none",
};

export function searchByScan(
  posts: readonly ScannedPost[],
  query: PostQuery,
  matches: ((post: ScannedPost) => boolean) | undefined,
): number[] {
  const words = query.q?.split(" ") ?? [];
  const { order, happened } = query;
  const timeOf = (p: ScannedPost) =>
    ({
      fetched: p.fetched_at,
      reviewed: p.reviewed_at,
      delivered: p.entry?.delivered_at,
      errored: p.entry?.errored_at,
    })[happened as "fetched"] ?? p.created_at;
  const unsure = (p: ScannedPost) => (p.ai_score === null ? 1 : Math.abs(Math.fround(p.ai_score) - 0.5));
  const newest = (a: ScannedPost, b: ScannedPost) =>
    b.created_at.getTime() - a.created_at.getTime() || b.id - a.id;
  const byTime = (a: ScannedPost, b: ScannedPost) => timeOf(b).getTime() - timeOf(a).getTime() || b.id - a.id;
  const compare = {
    newest: byTime,
    oldest: (a: ScannedPost, b: ScannedPost) => byTime(b, a),
    ai_unsure: (a: ScannedPost, b: ScannedPost) => unsure(a) - unsure(b) || newest(a, b),
    author: (a: ScannedPost, b: ScannedPost) =>
      (a.author_key < b.author_key ? -1 : a.author_key > b.author_key ? 1 : 0) || newest(a, b),
  }[order];
  return posts
    .filter((post) => (matches?.(post) ?? false) && words.every((word) => post.words.has(word)))
    .sort(compare)
    .map((post) => post.id);
}
