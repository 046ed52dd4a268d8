import { z } from "zod";
import { previewToken } from "#lib/actions/schema.ts";
import { common } from "#lib/http/common-fields.ts";
import { isoTime } from "#lib/http/fields.ts";

/** Groups of posts with a number of days each. Delivered posts have RETENTION_DAYS. */
export const keptKinds = ["rejected", "unreviewed", "failed"] as const;
export type KeptKind = (typeof keptKinds)[number];

export const MAX_KEPT_DAYS = 36_500;

const days = (description: string) =>
  z.int().min(1).max(MAX_KEPT_DAYS).nullable().describe(`${description} Null: for ever.`);

const settings = {
  rejected_days: days("Days after the rejection, by a person or a filter."),
  unreviewed_days: days("Days after the fetch or the last change of a post that has no decision."),
  failed_days: days("Days after a consumer's error report."),
} satisfies Record<`${KeptKind}_days`, z.ZodType>;
export type KeptDays = { [Name in keyof typeof settings]: number | null };

const count = z.int();

export const Retention = z
  .object({
    delivered_days: z.int().describe("`RETENTION_DAYS`; 0: until the next cleanup."),
    ...settings,
    would_delete: z
      .object({
        rejected: count.describe("Rejected posts."),
        unreviewed: count.describe("Posts without a decision."),
        failed: count.describe("Failed posts."),
      })
      .describe("Posts that a cleanup with these days would delete now."),
    updated_at: common.updated_at,
    starts_at: isoTime.describe(
      "No post is deleted before: one week after the upgrade, or the time of the installation.",
    ),
  })
  .meta({
    id: "Retention",
    example: {
      delivered_days: 7,
      rejected_days: 90,
      unreviewed_days: null,
      failed_days: null,
      would_delete: { rejected: 120, unreviewed: 0, failed: 0 },
      updated_at: "2026-05-04T12:00:00.000Z",
      starts_at: "2026-05-01T00:00:00.000Z",
    },
  });
export type Retention = z.infer<typeof Retention>;

export const RetentionUpdate = z
  .object({ ...z.object(settings).partial().shape, preview: previewToken })
  .refine((value) => keptKinds.some((kind) => value[`${kind}_days`] !== undefined), {
    message: `must name at least one of ${Object.keys(settings).join(", ")}`,
  })
  .meta({ id: "RetentionUpdate", example: { rejected_days: 30 } });
export type RetentionUpdate = z.output<typeof RetentionUpdate>;
