import { z } from "zod";
import { definitionOf, type FigureName } from "#lib/figures-schema.ts";
import { countOf, isoTime } from "#lib/http/fields.ts";

export const percentOf = (name: FigureName) =>
  z.number().meta({ description: `${definitionOf(name)} Percent, two decimals; 0 of nothing.` });

/** Seconds. */
export const Wait = z
  .object({
    count: z.int(),
    p50: z.number().nullable(),
    p90: z.number().nullable(),
    p99: z.number().nullable(),
  })
  .meta({ description: "Seconds, with an error of at most 19 %; null without any wait." });
export type Wait = z.infer<typeof Wait>;

/** By UTC weekday and hour. */
const HourOfWeek = z.object({
  weekday: z.int().meta({ description: "0 is Monday." }),
  hour: z.int(),
  // Negative when a filter rejects older posts.
  arrivals: z.int().meta({ description: definitionOf("arrivals") }),
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
  date: z.string(),
  by_reviewers: countOf("rejected_by_reviewers"),
  by_filters: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .meta({ description: definitionOf("auto_rejected") }),
});

const Language = z.object({
  language: z.string().meta({ description: "As the post names it; empty when it names none." }),
  fetched: countOf("fetched"),
  decided: countOf("decided"),
  approved: countOf("approved"),
  approval_rate: percentOf("approval_rate"),
});

const Share = z.object({ decisions: z.int(), agreed: z.int(), share: percentOf("check_agreement") });

const Agreement = z.object({
  same: countOf("decided_twice_same"),
  different: countOf("decided_twice_different"),
  taken_back: countOf("taken_back"),
  share: percentOf("reviewer_agreement"),
  pairs: z
    .array(
      z.object({
        first: z.string(),
        second: z.string(),
        same: countOf("decided_twice_same"),
        different: countOf("decided_twice_different"),
        share: percentOf("reviewer_agreement"),
      }),
    )
    .meta({ description: "Reviewers who decided the same posts, the 50 pairs with the most." }),
  reviewers: z
    .array(z.object({ reviewer: z.string(), taken_back: countOf("taken_back") }))
    .meta({ description: "Whose decisions were taken back." }),
  checks: z.object({
    shown: Share.meta({ description: "Decisions with visible advice, and those of API keys." }),
    hidden: Share.meta({ description: "Decisions before the advice was shown." }),
  }),
});
export type Agreement = z.infer<typeof Agreement>;

export const BotFigures = z
  .object({
    api_key_id: z.int(),
    name: z.string(),
    active: z.boolean().meta({ description: "False when the key is revoked or has expired." }),
    last_seen_at: isoTime.nullable().meta({ description: definitionOf("bot_last_seen") }),
    reserved: countOf("reserved"),
    delivered: countOf("bot_delivered"),
    deliveries_per_day: z.number().meta({ description: definitionOf("bot_deliveries_per_day") }),
    errors: countOf("bot_errors"),
    error_share: percentOf("bot_error_share"),
    age: Wait.meta({ description: definitionOf("bot_age") }),
    days: z
      .array(z.object({ date: z.string(), delivered: z.int(), errors: z.int() }))
      .meta({ description: "UTC days, oldest first, without empty ones." }),
  })
  .meta({ id: "BotFigures" });
export type BotFigures = z.infer<typeof BotFigures>;

/** Fields of `GET /stats/overview`. */
export const answers = {
  hours: z.array(HourOfWeek).meta({ description: "Sums of the range by UTC hour of the week; 168 entries." }),
  outcomes: Outcomes.meta({
    description:
      "Current state of the posts found in the range. Each counts once: `found` = `not_stored` + `stored`.",
  }),
  rejections: z.array(RejectionDay).meta({ description: "UTC days, oldest first, empty ones included." }),
  languages: z.array(Language).meta({ description: "The 20 languages with the most posts." }),
  agreement: Agreement,
  bots: z.array(BotFigures).meta({ description: "The 50 API keys with the most deliveries." }),
};
