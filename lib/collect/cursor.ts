import { z } from "zod";

/*
 * `stream.cursor`, written in the transaction of its page. Positions are opaque ids of the remote server,
 * times ISO 8601.
 */

const position = z.string().min(1);
const time = z.string();

const cursor = z.object({
  /** The newest entry when the newest posts were last read to the known ones. Null before the first fetch. */
  head: position.nullable().default(null),
  /** When that was. */
  head_at: time.nullable().default(null),
  /** Lower end of the stream: the first fetch minus BACKFILL_DAYS. */
  since: time.nullable().default(null),
  /** New posts that are not yet read: from `at` back to `head_at`. `top` then becomes `head`. */
  gap: z.object({ at: position, top: position, top_at: time }).nullable().default(null),
  /** The unfinished walk from `at` back to `until`: of the `first` fetch, or over known posts. */
  past: z.object({ at: position, until: time, first: z.boolean() }).nullable().default(null),
  /** The last long walk over known posts. */
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
