import { z } from "zod";

/*
 * The positions of a stream (`stream.cursor`). Positions are opaque ids of the remote server; times are
 * ISO 8601. Written in the same transaction as the posts of the page that moved it.
 */

const position = z.string().min(1);
const time = z.string();

const cursor = z.object({
  /** Everything from here down to `backfill` (or `since`) has been read. Null before the first fetch. */
  head: position.nullable().default(null),
  /** When `head` was the top of the timeline. */
  head_at: time.nullable().default(null),
  /** How far back the stream goes at all: the first fetch minus BACKFILL_DAYS. */
  since: time.nullable().default(null),
  /** The first fetch still reads back from here. */
  backfill: z.object({ at: position }).nullable().default(null),
  /**
   * Only where a server cannot page forward: reading back from `at` to `head`, which then becomes `top`. `until`
   * ends it when no known post is met, for example because the post at `head` was deleted.
   */
  gap: z.object({ at: position, top: position, until: time }).nullable().default(null),
  /** The walk over known posts, when one run did not finish it. */
  overlap: z.object({ at: position, until: time, deep: z.boolean() }).nullable().default(null),
  /** When the last deep walk began. */
  deep_at: time.nullable().default(null),
  /** Consecutive runs that had too many new posts to read back. */
  starved: z.int().min(0).default(0),
});

export type StreamCursor = z.output<typeof cursor>;

/** A stored cursor; an unreadable one is replaced by an empty one, so the stream starts again. */
export function parseCursor(stored: unknown): StreamCursor {
  const parsed = cursor.safeParse(stored);
  return parsed.success ? parsed.data : cursor.parse({});
}
