import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { lenientBoolean, MAX_ID, queryInteger } from "#lib/base/http/fields.ts";
import { log } from "#lib/base/log.ts";

/** Query of `GET /curated/next`. */
export const ReserveQuery = z.object({
  random: lenientBoolean("Select a random eligible post instead of the oldest.").default(false),
  include_topical: lenientBoolean("Prefer posts that match today's topical rules.").default(false),
  topical_only: lenientBoolean("With include_topical: 204 rather than a post that is not topical.").default(
    false,
  ),
  stream_id: queryInteger(1, MAX_ID, "Only posts of this stream.").optional(),
});
export type ReserveOptions = z.output<typeof ReserveQuery>;

/** The pools that a request tries in turn; true: topical posts, false: all posts. */
export function poolsOf({ include_topical, topical_only }: ReserveOptions): boolean[] {
  if (!include_topical) return [false];
  return topical_only ? [true] : [true, false];
}

const NOTE_INTERVAL_MS = 10 * 60_000;
const noted = new Map<number, number>();

/** Notes that a bot asks for these streams, so that source checks look ahead for them. Not awaited. */
export function noteStreams(streams: number[]): void {
  const news = streams.filter((id) => Date.now() - (noted.get(id) ?? 0) >= NOTE_INTERVAL_MS);
  if (news.length === 0) return;
  for (const id of news) noted.set(id, Date.now());
  db.$executeRaw`
    UPDATE stream SET asked_at = now() WHERE id = ANY (${news}::int[])`.catch((error: unknown) =>
    log.warn({ err: error, streams: news }, "use of streams not stored"),
  );
}

/** Streams that bots asked for in the last three days. */
export async function streamsInUse(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM stream WHERE asked_at > now() - interval '3 days' ORDER BY id`;
  return rows.map(({ id }) => id);
}
