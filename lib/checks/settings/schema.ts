import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

const threshold = z.number().gt(0).max(1);

export const CheckState = z
  .object({
    name: z.string().meta({ example: "rules" }),
    enabled: z.boolean().meta({ description: "False: the check gives no score." }),
    votes: z.boolean().meta({
      description:
        "At or above its threshold the check advises rejection. Each stream decides about its question; the learner also needs a threshold.",
    }),
    threshold: z.number().nullable().meta({
      description:
        "In force. Null: of the learner, not learnt yet; of `picture_explicit`, 0.6 with a second opinion and 0.7 without.",
    }),
    default_votes: z.boolean(),
    default_threshold: z.number().nullable().meta({ description: "Of the learner: of its newest model." }),
    shown: z.boolean().meta({
      description: "Reviewers see the results. Those of a check that votes are always shown.",
    }),
    default_shown: z.boolean(),
    stopped_at: isoTime.nullable().meta({
      description: "Time at which the check stopped voting because reviewers overruled it.",
    }),
    stopped_why: z.string().nullable(),
    missing: z.string().nullable().meta({
      description: "Why the check cannot run on this installation; null when it can.",
    }),
  })
  .meta({ id: "CheckState" });
export type CheckState = z.infer<typeof CheckState>;

export const ChecksSettings = z
  .object({
    checks: z.array(CheckState),
    judging: z.boolean().meta({
      description: "Stored posts are being judged again, after a change of a setting.",
    }),
  })
  .meta({ id: "ChecksSettings" });
export type ChecksSettings = z.infer<typeof ChecksSettings>;

const change = {
  enabled: z.boolean().optional(),
  votes: z.boolean().optional().meta({ description: "Not of `question`. True also resumes." }),
  shown: z.boolean().optional(),
  resume: z.literal(true).optional().meta({
    description:
      "A check that stopped itself votes again; earlier decisions of reviewers do not count any more.",
  }),
  threshold: threshold.nullable().optional().meta({ description: "Null: the default." }),
};

/** Checks that are not named stay unchanged. */
export const ChecksSettingsUpdate = z
  .object({
    checks: z
      .array(z.object({ name: z.string(), ...change }))
      .min(1)
      .max(20),
  })
  .meta({ id: "ChecksSettingsUpdate", example: { checks: [{ name: "rules", threshold: 0.8 }] } });
export type ChecksSettingsUpdate = z.output<typeof ChecksSettingsUpdate>;
export type CheckChange = ChecksSettingsUpdate["checks"][number];

export const DryRunRequest = z
  .object({
    ...change,
    weight: z.number().min(0).max(1).optional().meta({ description: "Of a text rule." }),
    name: z.string().meta({ description: "A check, or a text rule." }),
  })
  .refine(({ name: _name, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
    message: `must name at least one of ${Object.keys(change).join(", ")}, weight`,
  })
  .meta({ id: "DryRunRequest", example: { name: "rules", threshold: 0.8 } });
export type DryRunRequest = z.output<typeof DryRunRequest>;

const Flagged = z
  .object({ posts: z.int(), approved: z.int(), rejected: z.int(), unreviewed: z.int() })
  .meta({ id: "Flagged", description: "Posts that the checks advise to reject, by their decision." });

export const DryRun = z
  .object({
    posts: z.int().meta({ description: "Posts that were judged: those fetched in the last 30 days." }),
    complete: z.boolean().meta({ description: "False: only the newest 20 000 of them were judged." }),
    before: Flagged.meta({ description: "With the present settings." }),
    after: Flagged.meta({ description: "With the change." }),
    added: Flagged.meta({ description: "Only with the change." }),
    removed: Flagged.meta({ description: "Only without the change." }),
  })
  .meta({ id: "DryRun" });
export type DryRun = z.infer<typeof DryRun>;
