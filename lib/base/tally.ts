import { db } from "./db.ts";
import { env } from "./env.ts";

/** Deltas (prisma/functions/tally.sql) that compact in one go. */
const BATCH = 20_000;
/** Deltas that a read adds up, in some milliseconds. */
const MANY = 2_000;
const LOOK_EVERY_MS = 1_000;

/** Until few deltas are left, the deadline has passed, or another process does it. */
export async function compactTally(deadline: Date, over = 0): Promise<void> {
  while ((await compact(over)) === BATCH && Date.now() < deadline.getTime());
}

let looked = 0;

/** Before a read of figures: its cost stays the same while no worker compacts. For a second at most. */
export async function shortenTally(): Promise<void> {
  if (Date.now() - looked < LOOK_EVERY_MS) return;
  looked = Date.now();
  await compactTally(new Date(looked + 1000), MANY);
}

async function compact(over: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT compact_tally(${env().TIME_ZONE}, ${BATCH}::int) AS n
      FROM (SELECT max(id) - min(id) AS open FROM tally_delta) d WHERE open >= ${over}::int`;
  return rows[0]?.n ?? 0;
}
