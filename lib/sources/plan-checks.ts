import { env } from "#lib/env.ts";
import { poolsInUse, type Pool } from "#lib/queue/pool.ts";
import {
  deliveriesPerDay,
  dropSettledChecks,
  expireConfirmations,
  liftUnconfirmed,
  wantChecksAhead,
  type AheadOf,
} from "./plan-checks-sql.ts";

/** Entries whose hold one statement changes. */
const BATCH = 5_000;
/** Posts looked ahead of without any delivery. */
const MARGIN = 20;
/** A random choice is made among so many confirmed posts (queue_draws). */
const RANDOM_MARGIN = 64;
const MAX_AHEAD = 1_000;
/** Pools of certain streams that one call plans checks for. */
const MAX_LIMITED = 20;
const OLDEST: Pool = { streams: [], topical: false, random: false };
const RANDOM: Pool = { ...OLDEST, random: true };
/** Without CONFIRM_WITHIN_HOURS: posts checked in each order, every six hours. */
const WITHOUT_SETTING = { ahead: 100, hours: 6 };

/**
 * Holds posts whose confirmation has expired, and makes checks of the posts due that will be handed out next:
 * as many as a quarter of a day's deliveries need, however long the queue is. They are replaced as they are handed out.
 */
export async function planSourceChecks({ deadline }: { deadline: Date }): Promise<{ worked: boolean }> {
  const { CONFIRM_WITHIN_HOURS: hours, TIME_ZONE } = env();
  await dropSettledChecks();
  const changes = [() => expireConfirmations(hours, BATCH), () => (hours === 0 ? liftUnconfirmed(BATCH) : 0)];
  for (const change of changes) while ((await change()) === BATCH && Date.now() < deadline.getTime());

  const perDay = await deliveriesPerDay();
  const needed = Math.ceil((perDay * Math.min(24, hours)) / 24 / 4) + MARGIN;
  const ahead = hours === 0 ? WITHOUT_SETTING.ahead : Math.min(MAX_AHEAD, needed);
  // Early enough for several attempts before the confirmation expires.
  const minutes = hours === 0 ? WITHOUT_SETTING.hours * 60 : hours * 45;
  let wanted = 0;
  for (const pool of await poolsToCheck(hours, ahead))
    wanted += await wantChecksAhead(pool, minutes, TIME_ZONE);
  return { worked: wanted > 0 };
}

/** Random, so that each process begins with another pool. */
let turn = Math.floor(Math.random() * 1_000_000);

/** The pools in use; of those of certain streams at most `MAX_LIMITED`, in turn. */
async function poolsToCheck(hours: number, ahead: number): Promise<AheadOf[]> {
  const used = await poolsInUse();
  const limited = used.filter(({ streams }) => streams.length > 0);
  const from = limited.length <= MAX_LIMITED ? 0 : turn % limited.length;
  turn = from + MAX_LIMITED;
  const all = used.filter(({ streams }) => streams.length === 0);
  const share = Math.ceil(ahead / Math.max(1, Math.min(MAX_LIMITED, limited.length))) + MARGIN;
  const within = (count: number) => (pool: Pool) => ({
    ...pool,
    count: pool.random ? count + RANDOM_MARGIN : count,
  });
  return [
    ...(hours === 0 ? [OLDEST, RANDOM] : all.length === 0 ? [OLDEST] : all).map(within(ahead)),
    ...[...limited, ...limited].slice(from, from + Math.min(MAX_LIMITED, limited.length)).map(within(share)),
  ];
}
