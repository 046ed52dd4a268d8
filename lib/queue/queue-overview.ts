import { isoTimes, toIso } from "#lib/base/clock.ts";
import { readTotals, compactBeforeRead } from "#lib/base/tally.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import {
  heldCounts,
  hourRows,
  keptBackRows,
  upcomingRows,
  type HeldCounts,
  type ListedRow,
} from "./overview-sql.ts";
import { forecast, PACE_DAYS, paceOf } from "./pace.ts";

const LISTED = 5;
const REFUSED = 5;
const MINUTE_MS = 60_000;

export type ListedPost = ReturnType<typeof listed>;

/** The figures of the queue. lib/base/figures-schema.ts defines pace and runway. */
export interface QueueSupply extends Pick<HeldCounts, "held" | "kept_back"> {
  /** Posts by state. A post whose reservation has expired counts as pending and as timed out. */
  counts: { pending: number; reserved: number; delivered: number; error: number };
  /** Events of all time, also of posts that were deleted since. */
  all_time: { delivered: number; errors: number; trimmed: number; nacks: number; timeouts: number };
  /** Posts that can be handed out now. */
  available: number;
  /** Pending posts that will be handed out in time: `available` and unconfirmed ones. */
  supply: number;
  deliveries_per_day: number;
  approvals_per_day: number;
  pace_days: number;
  /** Null without deliveries, as `runs_dry_at`. */
  runway_days: number | null;
  runs_dry_at: string | null;
  with_approvals_days: number | null;
}

export interface QueueOverview extends QueueSupply {
  /** Posts that come next, in order. */
  upcoming: ListedPost[];
  /** Posts that were refused several times, the next first. */
  refused: ListedPost[];
}

/** Data of the queue page. */
export async function queueOverview(): Promise<QueueOverview> {
  const [supply, upcoming, keptBack] = await Promise.all([
    queueSupply(),
    upcomingRows(LISTED),
    keptBackRows(REFUSED),
  ]);
  return { ...supply, upcoming: upcoming.map(listed), refused: keptBack.map(listed) };
}

/** Reads the figures of the queue. The queries have different snapshots, so differences are cut at zero. */
export async function queueSupply(): Promise<QueueSupply> {
  await compactBeforeRead();
  const [{ now, levels, events }, hours, { held, kept_back, expired, ready_on_return }] = await Promise.all([
    readTotals(),
    hourRows(PACE_DAYS * 24),
    heldCounts(),
  ]);
  // From the counters: counting a million eligible posts would be slow.
  const without = (others: HeldCounts["held"]) =>
    Math.max(0, levels.pending - kept_back - others.reduce((sum, { count }) => sum + count, 0)) +
    ready_on_return;
  // Unconfirmed posts are confirmed before they are next in line.
  const supply = without(held.filter(({ reason }) => reason !== "unconfirmed"));
  const recent = (event: "deliveries" | "approvals") => hours.reduce((sum, row) => sum + row[event], 0);
  const pace = paceOf(hours, now, {
    deliveries: events.delivered > recent("deliveries"),
    approvals: events.approved > recent("approvals"),
  });
  const { days, runs_dry_at, with_approvals_days } = forecast(supply, pace, now);
  const { delivered, errors, trimmed, nacks, timeouts } = events;
  return {
    counts: {
      pending: levels.pending + expired,
      reserved: Math.max(0, levels.reserved - expired),
      delivered: levels.delivered,
      error: levels.error,
    },
    all_time: { delivered, errors, trimmed, nacks, timeouts: timeouts + expired },
    available: without(held),
    held,
    kept_back,
    supply,
    deliveries_per_day: toHundredth(pace.deliveries_per_day),
    approvals_per_day: toHundredth(pace.approvals_per_day),
    pace_days: pace.days,
    runway_days: days,
    runs_dry_at: runs_dry_at && toIso(new Date(Math.floor(runs_dry_at.getTime() / MINUTE_MS) * MINUTE_MS)),
    with_approvals_days,
  };
}

const toHundredth = (value: number) => Math.round(value * 100) / 100;

function listed(row: ListedRow) {
  return { ...isoTimes(row), emojis: pickEmojis(row.emojis, [row.content_snippet]) };
}
