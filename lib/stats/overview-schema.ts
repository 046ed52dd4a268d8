import { z } from "zod";
import { figures } from "#lib/base/figures-schema.ts";
import { common } from "#lib/base/http/common-fields.ts";
import { countOf, isoTime, nullableString, queryInteger, stringField } from "#lib/base/http/fields.ts";
import { metricsOf } from "./metrics-schema.ts";
import { counts, percentOf } from "./schema.ts";

const count = z.int();
const approval_rate = percentOf("approval_rate");

export const OverviewQuery = z.object({
  days: queryInteger(1, 365, "Number of days, including today.").optional().default(30),
});

const Day = z.object({ date: stringField("Day in `TIME_ZONE`.", "2026-05-04"), ...counts(metricsOf("day")) });
export type Day = z.infer<typeof Day>;

export const BotFigures = z
  .object({
    api_key_id: z.int().meta({ description: "Id of the API key.", example: 4 }),
    name: common.name,
    last_asked_at: isoTime.nullable().describe(figures.bot_last_seen.definition),
    delivered: countOf("bot_delivered"),
    errors: countOf("bot_errors"),
  })
  .meta({ id: "BotFigures" });
export type BotFigures = z.infer<typeof BotFigures>;

export const Overview = z
  .object({
    range: z
      .object({
        since: isoTime.describe("Start of the first day."),
        until: isoTime.describe("End of the last day."),
      })
      .describe("For the lists of the counted posts."),
    days: z.array(Day).describe("Days in `TIME_ZONE`, oldest first, those without events included."),
    totals: z.object({ ...counts(metricsOf("day")), approval_rate }).describe("Sums of the days."),
    runway: z
      .object({
        supply: count.describe("Pending posts that are neither held nor refused; unconfirmed ones count."),
        deliveries_per_day: z.number().describe(figures.deliveries_per_day.definition),
        approvals_per_day: z.number().describe(figures.approvals_per_day.definition),
        pace_days: z
          .int()
          .describe(
            "Whole days that `deliveries_per_day` covers, 1 to 28: `lookback_days` of a trim at this pace.",
          ),
        days: z.number().nullable().describe(`${figures.runway_days.definition} Null without deliveries.`),
        runs_dry_at: isoTime.nullable().describe("The end of these days."),
        with_approvals_days: z
          .number()
          .nullable()
          .describe(`${figures.supply_with_approvals.definition} Null when it lasts.`),
      })
      .describe("How long the queue lasts."),
    reject_reasons: z
      .array(
        z.object({
          id: common.reject_reason,
          label: nullableString("Present name of the reason; null without one.", "Off topic"),
          count: countOf("rejected_by_reviewers"),
        }),
      )
      .describe("Why reviewers rejected posts, most frequent first."),
    streams: z
      .array(
        z.object({
          id: common.id,
          hashtag: common.hashtag,
          instance: common.instance,
          ...counts(metricsOf("stream")),
          approval_rate,
        }),
      )
      .describe("The 50 streams with the most posts."),
    instances: z
      .array(z.object({ instance: common.instance, ...counts(metricsOf("instance")), approval_rate }))
      .describe("The 20 hosts with the most posts."),
    authors: z
      .array(
        z.object({
          author: stringField("Account of the author.", "@ana@mastodon.example"),
          decided: countOf("decided"),
          approved: countOf("approved"),
          approval_rate,
        }),
      )
      .describe("The 20 authors with the most approved posts; only posts that are stored now."),
    reviewers: z
      .array(
        z.object({
          member_id: common.member_id,
          reviewer: stringField("Name of the member or of the key.", "Ana"),
          ...counts(metricsOf("reviewer")),
          approval_rate,
        }),
      )
      .describe("The 50 reviewers with the most decisions."),
    bots: z.array(BotFigures).describe("API keys that may receive posts, most deliveries first."),
  })
  .meta({ id: "StatsOverview" });
export type Overview = z.infer<typeof Overview>;
