import { z } from "zod";
import { isoTime, text } from "#lib/http/fields.ts";
import { QueueStatus } from "./schema.ts";

/* Bodies of changes and reviews of posts, and their answer. */

export const MAX_NOTE = 2000;
const reviewerNotes = text(MAX_NOTE)
  .nullable()
  .meta({ description: "At most 2000 characters; null removes it." });

/** Rises with each edit. Also of decisions, and of posts that a batch shows. */
export const postVersion = z.int().min(1).optional().meta({
  description:
    "The version of the post that the caller has read: another one is refused. Default: the current one.",
});

const changes = {
  approved: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: "True approves, false rejects, null removes the decision." }),
  reviewer_notes: reviewerNotes.optional(),
  manual_spam_score: z.int().min(0).max(100).nullable().optional(),
};

/**
 * Body of `PATCH` and `PUT /posts/{id}`. `{}` changes nothing. A body with only unknown keys is refused as a probable
 * mistake.
 */
export const PostChange = z
  .looseObject({ ...changes, version: postVersion })
  .refine((body) => Object.keys(body).length === 0 || Object.keys(changes).some((key) => key in body), {
    message: `must name at least one of ${Object.keys(changes).join(", ")}`,
  })
  .meta({ id: "PostChange", example: { approved: true, reviewer_notes: "A fine heron" } });
export type PostChange = z.output<z.ZodObject<typeof changes>> & { version?: number | undefined };

/** Body of `POST /posts/{id}/review`: the same, with a decision. */
export const PostReview = z
  .object({ ...changes, approved: z.boolean().nullable(), version: postVersion })
  .meta({ id: "PostReview", example: { approved: false, manual_spam_score: 80 } });

/** Optional body of `POST /posts/{id}/approve` and `…/reject`. */
export const PostDecision = z
  .object({ reviewer_notes: reviewerNotes.optional(), version: postVersion })
  .meta({ id: "PostDecision", example: { reviewer_notes: "A fine heron" } });

/** Answer to a review: the five specified fields and the others that a review can change. */
export const ReviewAnswer = z
  .object({
    id: z.int(),
    post_id: z.string(),
    approved: z.boolean().nullable(),
    reviewed_at: isoTime.nullable(),
    queue_status: QueueStatus.nullable(),
    reviewer_notes: z.string().nullable(),
    manual_spam_score: z.int().nullable(),
    approved_at: isoTime.nullable(),
  })
  .meta({ id: "ReviewAnswer" });
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;
