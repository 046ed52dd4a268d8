import { z } from "zod";
import { definitionOf } from "#lib/figures-schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { countOf, isoTime, nullableString, stringField } from "#lib/http/fields.ts";
import { paceDays } from "#lib/queue/overview-schema.ts";
import { answers, percentOf, Wait } from "./answers-schema.ts";
import { allMetrics, metricsOf, type Metric } from "./metrics-schema.ts";

/** `GET /stats/daily` reaches further back. */
export const MAX_DAYS = 92;

const DAY = 86_400_000;
const count = z.int();
const counts = <M extends Metric>(names: readonly M[]) =>
  Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<M, typeof count>;
/** The tables of hosts and reviewers leave out rejections by filters. */
const countsByPeople = <M extends Metric>(names: readonly M[]) => ({
  ...counts(names),
  reviewed: countOf("decided"),
});
const rate = percentOf("approval_rate");

function queryDay(description: string) {
  return z
    .string()
    .refine(
      (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value,
      "must be a day such as 2026-05-04",
    )
    .meta({ override: { type: "string", format: "date" }, description });
}

/**
 * @param days negative: before `day`
 */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** Both ends included. */
export function daysOf(range: { from: string; to: string }): number {
  return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY) + 1;
}

const days = {
  from: queryDay("First UTC day; default six days before `to`.").optional(),
  to: queryDay("Last UTC day, included; default today.").optional(),
};

function withDefaults<Query extends { from?: string | undefined; to?: string | undefined }>(query: Query) {
  const to = query.to ?? new Date().toISOString().slice(0, 10);
  return { ...query, from: query.from ?? addDays(to, -6), to };
}

function checkRange(range: { from: string; to: string }, ctx: z.RefinementCtx): void {
  const length = daysOf(range);
  if (length < 1) ctx.addIssue({ code: "custom", path: ["to"], message: "must not be before from" });
  if (length > MAX_DAYS) {
    ctx.addIssue({ code: "custom", path: ["from"], message: `must be at most ${MAX_DAYS} days before to` });
  }
}

export const OverviewQuery = z.object(days).transform(withDefaults).superRefine(checkRange);

export type DayRange = z.output<typeof OverviewQuery>;

const Range = z.object({
  from: stringField("Start of the range.", "2026-05-04"),
  to: stringField("End of the range.", "2026-05-10"),
  days: count.describe("Number of days."),
});

const Totals = z.object({ ...counts(allMetrics), approval_rate: rate });
export type Totals = z.infer<typeof Totals>;

const Reason = z.object({ reason: common.reason, count: count.describe("Number of them.") });

/** The range, and the equally long range before it. */
const compared = <S extends z.ZodType>(schema: S) => z.object({ current: schema, previous: schema });
const currentTotals = Totals.describe("Values of the chosen days.");
const previousTotals = Totals.describe("Values of the same number of days before.");

export const Overview = z
  .object({
    range: Range.describe("Days that the figures cover."),
    previous: Range.describe("Values of the same number of days before."),
    totals: z
      .object({ current: currentTotals, previous: previousTotals })
      .describe("Sums of the chosen days and of those before."),
    time_to_review: compared(Wait).describe(definitionOf("time_to_review")),
    time_to_delivery: compared(Wait).describe(definitionOf("time_to_delivery")),
    reviewers: z
      .array(
        z.object({
          member_id: common.member_id,
          reviewer: stringField("Name of the member or of the key.", "Ana"),
          ...countsByPeople(metricsOf("reviewer")),
          approval_rate: rate,
          time_to_review: Wait,
        }),
      )
      .describe("The 50 reviewers with the most decisions."),
    streams: z
      .array(
        z.object({
          id: common.id,
          hashtag: common.hashtag,
          instance: common.instance,
          ...counts(metricsOf("stream")),
          approval_rate: rate,
          time_to_review: Wait,
          time_to_delivery: Wait,
        }),
      )
      .describe("The 50 streams with the most posts."),
    instances: z
      .array(
        z.object({
          instance: common.instance,
          ...countsByPeople(metricsOf("instance")),
          approval_rate: rate,
          time_to_review: Wait,
        }),
      )
      .describe("The 20 hosts with the most posts."),
    authors: z
      .object({
        approved: count.describe("Approved posts."),
        top_1_share: percentOf("author_share"),
        top_10_share: percentOf("author_share"),
        top: z
          .array(
            z.object({
              author: stringField("Account of the author.", "@ana@mastodon.example"),
              approved: countOf("approved"),
              share: percentOf("author_share"),
            }),
          )
          .describe("The first of them by number."),
      })
      .describe("Concentration of the approved posts on few authors."),
    funnel: z
      .object({
        dropped: z
          .array(Reason)
          .describe("Fetched and not stored. Each post counts once, on the day when it was first seen."),
        fetched: count.describe("Posts that were stored."),
        auto_rejected: z.array(Reason).describe("Posts that a filter rejected on arrival."),
        reviewed: count.describe("Reviewed posts."),
        rejected: count.describe("Rejected posts."),
        approved: count.describe("Approved posts."),
        trimmed: count.describe("Posts that a trim deleted."),
        errors: z.array(Reason).describe("Failures."),
        delivered: count.describe("Posts that a consumer acknowledged."),
        held_now: z.array(Reason).describe("Pending posts that are held now, by reason."),
      })
      .describe("From fetch to delivery; each list has the 20 most frequent reasons."),
    reject_reasons: z
      .array(
        z.object({
          id: common.reject_reason,
          label: nullableString("Present name of the reason; null without one.", "Off topic"),
          count: countOf("rejected_by_reviewers"),
        }),
      )
      .describe("Why reviewers rejected posts, most frequent first."),
    runway: z
      .object({
        pending: countOf("pending"),
        supply: count.describe("Pending posts that are neither held nor refused; unconfirmed ones count."),
        deliveries_per_day: z.number().describe(definitionOf("deliveries_per_day")),
        approvals_per_day: z.number().describe(definitionOf("approvals_per_day")),
        pace_days: paceDays,
        days: z
          .number()
          .nullable()
          .describe(`${definitionOf("runway_days")} Null without deliveries.`),
        runs_dry_at: isoTime.nullable().describe("The end of these days."),
        with_approvals_runs_dry_at: isoTime
          .nullable()
          .describe(`${definitionOf("supply_with_approvals")} Null when it lasts.`),
      })
      .describe("How long the queue lasts."),
    ...answers,
  })
  .meta({ id: "StatsOverview" });
export type Overview = z.infer<typeof Overview>;
