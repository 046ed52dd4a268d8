import { z } from "zod";
import { definitionOf, type FigureName } from "#lib/figures-schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { countOf, isoTime, stringField } from "#lib/http/fields.ts";

export const percentOf = (name: FigureName) =>
  z.number().describe(`${definitionOf(name)} Percent, two decimals; 0 of nothing.`);

/** Seconds. */
export const Wait = z
  .object({
    count: common.count,
    p50: z.number().nullable().describe("Median in seconds; null without cases."),
    p90: z.number().nullable().describe("90th percentile in seconds; null without cases."),
    p99: z.number().nullable().describe("99th percentile in seconds; null without cases."),
  })
  .describe("Seconds, with an error of at most 19 %; null without any wait.");
export type Wait = z.infer<typeof Wait>;

/** By UTC weekday and hour. */
const HourOfWeek = z.object({
  weekday: z.int().describe("0 is Monday."),
  hour: z.int().describe("Hour of the day in UTC, 0 to 23."),
  // Negative when a filter rejects older posts.
  arrivals: z.int().describe(definitionOf("arrivals")),
  decisions: countOf("hourly_decisions"),
  deliveries: countOf("delivered"),
});

/** `found` = `not_stored` + `stored`; `stored` = the next six; `approved` = the last four. */
const Outcomes = z.object({
  found: countOf("found"),
  not_stored: countOf("not_stored"),
  stored: countOf("outcome_stored"),
  unreviewed: countOf("outcome_unreviewed"),
  deleted: countOf("outcome_deleted"),
  auto_rejected: countOf("outcome_auto_rejected"),
  rejected: countOf("outcome_rejected"),
  approved: countOf("outcome_approved"),
  unknown: countOf("outcome_unknown"),
  waiting: countOf("outcome_waiting"),
  delivered: countOf("outcome_delivered"),
  failed: countOf("outcome_failed"),
  removed: countOf("outcome_removed"),
});
export type Outcomes = z.infer<typeof Outcomes>;

const RejectionDay = z.object({
  date: common.date,
  by_reviewers: countOf("rejected_by_reviewers"),
  by_filters: z
    .array(z.object({ reason: common.reason, count: common.count }))
    .describe(definitionOf("auto_rejected")),
});

const Language = z.object({
  language: stringField("As the post names it; empty when it names none.", "en"),
  fetched: countOf("fetched"),
  decided: countOf("decided"),
  approved: countOf("approved"),
  approval_rate: percentOf("approval_rate"),
});

const Agreement = z.object({
  same: countOf("decided_twice_same"),
  different: countOf("decided_twice_different"),
  taken_back: countOf("taken_back"),
  share: percentOf("reviewer_agreement"),
  pairs: z
    .array(
      z.object({
        first: stringField("Name of the member or key that decided first.", "Ana"),
        first_member_id: common.member_id,
        second: stringField("Name of the member or key that decided second.", "Ben"),
        second_member_id: common.member_id,
        same: countOf("decided_twice_same"),
        different: countOf("decided_twice_different"),
        share: percentOf("reviewer_agreement"),
      }),
    )
    .describe("Reviewers who decided the same posts, the 50 pairs with the most."),
  reviewers: z
    .array(
      z.object({
        reviewer: stringField("Name of the member or key.", "Ana"),
        member_id: common.member_id,
        taken_back: countOf("taken_back"),
      }),
    )
    .describe("Whose decisions were taken back."),
});
export type Agreement = z.infer<typeof Agreement>;

export const BotFigures = z
  .object({
    api_key_id: z.int().meta({ description: "Id of the API key.", example: 4 }),
    name: common.name,
    active: z.boolean().describe("False when the key is revoked or has expired."),
    last_seen_at: isoTime.nullable().describe(definitionOf("bot_last_seen")),
    reserved: countOf("reserved"),
    delivered: countOf("bot_delivered"),
    deliveries_per_day: z.number().describe(definitionOf("bot_deliveries_per_day")),
    errors: countOf("bot_errors"),
    error_share: percentOf("bot_error_share"),
    age: Wait.describe(definitionOf("bot_age")),
    days: z
      .array(z.object({ date: common.date, delivered: common.delivered, errors: common.errors }))
      .describe("UTC days, oldest first, without empty ones."),
  })
  .meta({ id: "BotFigures" });
export type BotFigures = z.infer<typeof BotFigures>;

/** Fields of `GET /stats/overview`. */
export const answers = {
  hours: z.array(HourOfWeek).describe("Sums of the range by UTC hour of the week; 168 entries."),
  outcomes: Outcomes.describe(
    "Current state of the posts found in the range. Each counts once: `found` = `not_stored` + `stored`.",
  ),
  rejections: z.array(RejectionDay).describe("UTC days, oldest first, empty ones included."),
  languages: z.array(Language).describe("The 20 languages with the most posts."),
  agreement: Agreement.describe("How often decisions were equal to the advice."),
  bots: z.array(BotFigures).describe("The 50 API keys with the most deliveries."),
};
