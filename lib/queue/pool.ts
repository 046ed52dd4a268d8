import { db } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";

export interface ReserveOptions {
  random: boolean;
  include_topical: boolean;
  /** Has no effect without `include_topical`. */
  topical_only: boolean;
}

/** Whether the pools of a request, in the order in which they are tried, are topical. */
export function poolsOf({ include_topical, topical_only }: ReserveOptions): boolean[] {
  if (!include_topical) return [false];
  return topical_only ? [true] : [true, false];
}

const NOTE_INTERVAL_MS = 10 * 60_000;
const noted = new Map<number, number>();

/** Stores that a bot asks for these streams, for the source checks ahead of it. Not awaited. */
export function noteStreams(streams: number[]): void {
  const news = streams.filter((id) => Date.now() - (noted.get(id) ?? 0) >= NOTE_INTERVAL_MS);
  if (news.length === 0) return;
  for (const id of news) noted.set(id, Date.now());
  db.$executeRaw`
    UPDATE stream SET asked_at = now() WHERE id = ANY (${news}::int[])`.catch((error: unknown) =>
    log.warn({ err: error, streams: news }, "use of streams not stored"),
  );
}

/** Of the last three days. */
export async function streamsInUse(): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM stream WHERE asked_at > now() - interval '3 days' ORDER BY id`;
  return rows.map(({ id }) => id);
}
