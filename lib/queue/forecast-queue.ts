import { toIso } from "#lib/base/clock.ts";
import type { HeldPosts } from "./held-posts.ts";
import { paceRow } from "./overview-sql.ts";
import { forecast, PACE_DAYS, paceOf } from "./pace.ts";

export interface QueueForecast {
  /** Pending posts that will be handed out in time. */
  supply: number;
  deliveries_per_day: number;
  approvals_per_day: number;
  pace_days: number;
  days: number | null;
  runs_dry_at: string | null;
  with_approvals_days: number | null;
}

/** Definitions: `runway_days` and `supply_with_approvals` of lib/base/figures-schema.ts. */
export async function forecastQueue({ held, kept_back, ready_on_return }: HeldPosts): Promise<QueueForecast> {
  const { now, pending, deliveries_ever, approvals_ever, hours } = await paceRow(PACE_DAYS * 24);
  // Unconfirmed posts are confirmed before they are next in line.
  const notSoon = held.filter(({ reason }) => reason !== "unconfirmed");
  // The queries have different snapshots.
  const supply =
    Math.max(0, pending - kept_back - notSoon.reduce((sum, { count }) => sum + count, 0)) + ready_on_return;
  const recent = (event: "deliveries" | "approvals") => hours.reduce((sum, row) => sum + row[event], 0);
  const pace = paceOf(hours, now, {
    deliveries: deliveries_ever > recent("deliveries"),
    approvals: approvals_ever > recent("approvals"),
  });
  const { days, runs_dry_at, with_approvals_days } = forecast(supply, pace, now);
  return {
    supply,
    deliveries_per_day: round(pace.deliveries_per_day),
    approvals_per_day: round(pace.approvals_per_day),
    pace_days: pace.days,
    days,
    runs_dry_at: toMinute(runs_dry_at),
    with_approvals_days,
  };
}

const round = (value: number) => Math.round(value * 100) / 100;

const MINUTE_MS = 60_000;

function toMinute(time: Date | null): string | null {
  return time === null ? null : toIso(new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS));
}
