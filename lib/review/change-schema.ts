import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { bodyId, text } from "#lib/base/http/fields.ts";
import { Post } from "./post-schema.ts";

/* Bodies of changes and reviews of posts, and their answer. */

export const MAX_NOTE = 2000;
const reviewerNotes = text(MAX_NOTE).nullable().describe("At most 2000 characters; null removes it.");

/** Shared by changes of a post, decisions and batches. */
export const rejectReason = bodyId
  .nullish()
  .describe(
    "Id of a reason of `GET /reject-reasons` that is in use, for a rejection; null for none. Refused with other decisions.",
  );

/** Shared by changes of a post, decisions and batches. */
export const postVersion = z
  .int()
  .min(1)
  .optional()
  .describe(
    "The version of the post that the caller has read: another one is refused. Default: the current one.",
  );

const changes = {
  approved: z
    .boolean()
    .nullable()
    .optional()
    .describe("True approves, false rejects, null removes the decision."),
  reviewer_notes: reviewerNotes.optional(),
  reject_reason: rejectReason,
  manual_spam_score: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .optional()
    .describe("Score that a reviewer gave, 0 to 100; null for none."),
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
  .object({ ...changes, approved: common.approved, version: postVersion })
  .meta({ id: "PostReview", example: { approved: false, reject_reason: 1, manual_spam_score: 80 } });

/** Optional body of `POST /posts/{id}/approve` and `…/reject`. */
export const PostDecision = z
  .object({ reviewer_notes: reviewerNotes.optional(), reject_reason: rejectReason, version: postVersion })
  .meta({ id: "PostDecision", example: { reviewer_notes: "A fine heron" } });

/** Answer to a review: the five specified fields and the others that a review can change. */
export const ReviewAnswer = Post.pick({
  ...{ id: true, post_id: true, approved: true, reviewed_at: true, queue_status: true },
  ...{ reviewer_notes: true, reject_reason: true, manual_spam_score: true, approved_at: true },
}).meta({ id: "ReviewAnswer" });
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;
