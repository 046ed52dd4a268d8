import { env } from "#lib/env.ts";
import type { ReserveKind } from "#lib/queue/note-use.ts";
import {
  deliveriesPerDay,
  dropSettledChecks,
  expireConfirmations,
  kindsInUse,
  liftUnconfirmed,
  streamsOfKeys,
  tagsOfThisAndTheNextDay,
  wantChecksAhead,
  type Pool,
} from "./plan-checks-sql.ts";

/** Entries whose hold one statement changes. */
const BATCH = 5_000;
/** Posts looked ahead of without any delivery. */
const MARGIN = 20;
/** A random choice is made among so many confirmed posts (queue_draws). */
const RANDOM_MARGIN = 64;
const MAX_AHEAD = 1_000;
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

  const kinds = hours === 0 ? (["oldest", "random"] as const) : await kindsInUse();
  const perDay = await deliveriesPerDay();
  const needed = Math.ceil((perDay * Math.min(24, hours)) / 24 / 4) + MARGIN;
  const ahead = hours === 0 ? WITHOUT_SETTING.ahead : Math.min(MAX_AHEAD, needed);
  // Early enough for several attempts before the confirmation expires.
  const minutes = hours === 0 ? WITHOUT_SETTING.hours * 60 : hours * 45;
  let wanted = 0;
  for (const pool of await poolsOf(kinds, ahead, TIME_ZONE)) wanted += await wantChecksAhead(pool, minutes);
  return { worked: wanted > 0 };
}

async function poolsOf(kinds: readonly ReserveKind[], ahead: number, timeZone: string): Promise<Pool[]> {
  const tags = kinds.some((kind) => kind.startsWith("topical"))
    ? await tagsOfThisAndTheNextDay(timeZone)
    : [];
  const bound = await streamsOfKeys();
  const share = Math.ceil(ahead / Math.max(1, bound.length)) + MARGIN;
  const usable = kinds.filter((kind) => !kind.startsWith("topical") || tags.length > 0);
  const poolOf = (kind: ReserveKind, streams: number[], count: number): Pool => {
    const random = kind === "random" || kind === "topical_random";
    const isTopical = kind.startsWith("topical");
    return { random, streams, tags: isTopical ? tags : null, count: random ? count + RANDOM_MARGIN : count };
  };
  return [
    ...usable.map((kind) => poolOf(kind, [], ahead)),
    ...bound.flatMap((streams) => usable.map((kind) => poolOf(kind, streams, share))),
  ];
}
