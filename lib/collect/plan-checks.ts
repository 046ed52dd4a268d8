import { Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { streamsInUse } from "#lib/queue/pool.ts";
import {
  confirmedCount,
  deliveriesPerDay,
  dropSettledChecks,
  expireConfirmations,
  liftUnconfirmed,
  topicalTagsAhead,
  wantChecksAhead,
  type AheadOf,
} from "./plan-checks-sql.ts";

/** Entries whose hold one statement changes. */
const BATCH = 5_000;
/** Posts looked ahead of without any delivery. */
const MARGIN = 20;
/** Confirmed posts beside the next ones, so that a random choice has a choice. */
const RANDOM_MARGIN = 64;
const MAX_AHEAD = 1_000;
/** Streams that one call plans checks for. */
const MAX_STREAMS = 20;
/** Without CONFIRM_WITHIN_HOURS: posts checked in each order, every six hours. */
const WITHOUT_SETTING = { ahead: 100, hours: 6 };

/**
 * Holds posts whose confirmation has expired, and makes checks due: of the head of the queue, of topical posts of today
 * and tomorrow, of streams that bots ask for, and then of the posts that were confirmed longest ago. As many as a
 * quarter of a day's deliveries need, however long the queue is. They are replaced as they are handed out.
 */
export async function planSourceChecks({ deadline }: { deadline: Date }): Promise<{ worked: boolean }> {
  const { CONFIRM_WITHIN_HOURS: hours, TIME_ZONE } = env();
  await dropSettledChecks();
  const changes = [() => expireConfirmations(hours, BATCH), () => (hours === 0 ? liftUnconfirmed(BATCH) : 0)];
  for (const change of changes) while ((await change()) === BATCH && Date.now() < deadline.getTime());

  const perDay = await deliveriesPerDay();
  const needed = Math.ceil((perDay * Math.min(24, hours)) / 24 / 4) + MARGIN;
  const count = hours === 0 ? WITHOUT_SETTING.ahead : Math.min(MAX_AHEAD, needed);
  // Early enough for several attempts before the confirmation expires.
  const minutes = hours === 0 ? WITHOUT_SETTING.hours * 60 : hours * 45;
  const first: AheadOf[] = [{ where: Prisma.empty, by: "approved_at", count }];
  const tags = await topicalTagsAhead(TIME_ZONE);
  if (tags.length > 0)
    first.push({ where: Prisma.sql`AND q.tags && ${tags}::text[]`, by: "approved_at", count });
  let wanted = 0;
  for (const ahead of [...first, ...(await streamsAhead(count))])
    wanted += await wantChecksAhead(ahead, minutes);
  const stock = count + RANDOM_MARGIN;
  const lacking = stock - (await confirmedCount(minutes, stock));
  wanted += await wantChecksAhead({ where: Prisma.empty, by: "confirmed_at", count: lacking }, minutes);
  return { worked: wanted > 0 };
}

/** Random, so that each process begins with another stream. */
let turn = Math.floor(Math.random() * 1_000_000);

/** At most `MAX_STREAMS`, in turn. */
async function streamsAhead(ahead: number): Promise<AheadOf[]> {
  const used = await streamsInUse();
  const number = Math.min(MAX_STREAMS, used.length);
  const from = used.length <= MAX_STREAMS ? 0 : turn % used.length;
  turn = from + MAX_STREAMS;
  const count = Math.ceil(ahead / Math.max(1, number)) + MARGIN;
  return [...used, ...used]
    .slice(from, from + number)
    .map((id) => ({ where: Prisma.sql`AND q.stream_id = ${id}::int`, by: "approved_at", count }));
}
