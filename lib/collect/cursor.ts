import { z } from "zod";

/*
 * `stream.cursor`, written in the transaction of its page. Positions are opaque ids of the remote server,
 * times ISO 8601.
 */

const position = z.string().min(1);
const time = z.string();

const cursor = z.object({
  /** Everything from here down to `backfill` (or `since`) was read. Null before the first fetch. */
  head: position.nullable().default(null),
  /** When `head` was the newest entry. */
  head_at: time.nullable().default(null),
  /** Lower end of the stream: the first fetch minus BACKFILL_DAYS. */
  since: time.nullable().default(null),
  /** Where the first fetch continues. */
  backfill: z.object({ at: position }).nullable().default(null),
  /**
   * Where a server cannot page forward: reading back from `at` to `head`, which then becomes `top`. `until`
   * ends it when the known posts were deleted.
   */
  gap: z.object({ at: position, top: position, until: time }).nullable().default(null),
  /** The unfinished walk over known posts. */
  overlap: z.object({ at: position, until: time, deep: z.boolean() }).nullable().default(null),
  deep_at: time.nullable().default(null),
  /** Consecutive runs with too many new posts to read back. */
  starved: z.int().min(0).default(0),
});

export type StreamCursor = z.output<typeof cursor>;

/** An unreadable cursor restarts the stream. */
export function parseCursor(stored: unknown): StreamCursor {
  const parsed = cursor.safeParse(stored);
  return parsed.success ? parsed.data : cursor.parse({});
}
