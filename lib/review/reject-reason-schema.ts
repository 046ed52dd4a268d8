import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { atLeastOneKey, isoTime, stringField, text } from "#lib/base/http/fields.ts";

/** Id of the first reason, "Spam or advertising": the default of a block. */
export const SPAM_REASON = 1;

/** Limit of reasons in use: a key from 1 to 9 for each. */
export const MAX_REASONS = 9;
export const reasonSubjects = ["text", "picture", "both", "other"] as const;

const label = text(80, 1)
  .transform((value) => value.replace(/\s+/g, " ").trim())
  .refine((value) => value !== "", "must not be blank")
  .meta({ description: "Unique in any letter case.", example: "Off topic" });
const about = z
  .enum(reasonSubjects)
  .describe(
    "The part of a post that shows the reason; `other`: none does, as for a duplicate. The learner ignores rejections for `picture` and `other`.",
  );
const place = z.int().min(1).max(MAX_REASONS);

export const RejectReason = z
  .object({
    id: common.id,
    label: stringField("Name of the reason.", "Off topic"),
    about,
    place: place.nullable().meta({ description: "Key at the desk; null when archived.", example: 1 }),
    archived_at: isoTime.nullable().describe("When it was archived; null while it is in use."),
  })
  .meta({ id: "RejectReason" });
export type RejectReason = z.infer<typeof RejectReason>;

export const RejectReasonCreate = z
  .object({ label, about: about.default("both") })
  .meta({ id: "RejectReasonCreate", example: { label: "Too many hashtags", about: "text" } });
export type RejectReasonCreate = z.output<typeof RejectReasonCreate>;

export const RejectReasonUpdate = atLeastOneKey(
  z.object({
    label: label.optional(),
    about: about.optional(),
    place: place.optional().describe("Key at the desk; the reasons from there on move back."),
    archived: z.boolean().optional().describe("True archives, false takes into use again, as the last one."),
  }),
).meta({ id: "RejectReasonUpdate", example: { label: "Off topic", place: 1 } });
export type RejectReasonUpdate = z.output<typeof RejectReasonUpdate>;
