import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { isoTime } from "#lib/base/http/fields.ts";

/**
 * The kinds that have a number of days, with its minimum. Delivered posts have RETENTION_DAYS.
 */
export const MIN_KEPT_DAYS = { rejected: 1, unreviewed: 1, failed: 1, history: 92 } as const;
export type KeptKind = keyof typeof MIN_KEPT_DAYS;
export const keptKinds = Object.keys(MIN_KEPT_DAYS) as KeptKind[];

export const MAX_KEPT_DAYS = 36_500;

const days = (kind: KeptKind, description: string) =>
  z.int().min(MIN_KEPT_DAYS[kind]).max(MAX_KEPT_DAYS).nullable().describe(`${description} Null: for ever.`);

export const keptDays = {
  rejected_days: days("rejected", "Days after the rejection, by a person or a filter."),
  unreviewed_days: days(
    "unreviewed",
    "Days after the fetch or the last change of a post that has no decision.",
  ),
  failed_days: days("failed", "Days after a consumer's error report."),
  history_days: days(
    "history",
    "Days after a history line of a post that is no longer stored. A stored post keeps its history.",
  ),
} satisfies Record<`${KeptKind}_days`, z.ZodType>;
export type KeptDays = { [Name in keyof typeof keptDays]: number | null };

const count = z.int();

export const Retention = z
  .object({
    delivered_days: z.int().describe("`RETENTION_DAYS`; 0: until the next cleanup."),
    ...keptDays,
    would_delete: z
      .object({
        rejected: count.describe("Rejected posts."),
        unreviewed: count.describe("Posts without a decision."),
        failed: count.describe("Failed posts."),
        history: count.describe("History lines."),
      })
      .describe("Posts and history lines that a cleanup with these days would delete now."),
    updated_at: common.updated_at,
    starts_at: isoTime.describe(
      "Nothing is deleted before: one week after the upgrade, or the time of the installation.",
    ),
  })
  .meta({
    id: "Retention",
    example: {
      delivered_days: 7,
      rejected_days: 90,
      unreviewed_days: null,
      failed_days: null,
      history_days: 730,
      would_delete: { rejected: 120, unreviewed: 0, failed: 0, history: 0 },
      updated_at: "2026-05-04T12:00:00.000Z",
      starts_at: "2026-05-01T00:00:00.000Z",
    },
  });
export type Retention = z.infer<typeof Retention>;

export const RetentionUpdate = z
  .object(z.object(keptDays).partial().shape)
  .refine((value) => keptKinds.some((kind) => value[`${kind}_days`] !== undefined), {
    message: `must name at least one of ${Object.keys(keptDays).join(", ")}`,
  })
  .meta({ id: "RetentionUpdate", example: { rejected_days: 30 } });
export type RetentionUpdate = z.output<typeof RetentionUpdate>;
