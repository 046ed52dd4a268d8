import { z } from "zod";
import type { ErrorCode } from "#lib/base/errors.ts";
import { common } from "#lib/base/http/common-fields.ts";
import {
  isoTime,
  jsonProblem,
  paging,
  queryTime,
  refusedAs,
  stringField,
  text,
} from "#lib/base/http/fields.ts";

const deletedField = z.int().describe("Posts that were deleted.");

/** Body of `GET /curated/next` (docs/api.md#queue-item). No field is ever null. */
export const QueueItem = z
  .object({
    id: z.int().meta({
      description: "Id of the post, for ack, nack, error and extend, and in `GET /posts`.",
      example: 42,
    }),
    fenliu_post_id: z.int().meta({
      description:
        "Id of the post, for ack, nack, error and extend, under the name that FenLiu, the predecessor, gave it.",
      example: 42,
    }),
    post_uri: stringField(
      "Canonical URI of the post. Search for it on your own server to find the post there.",
      "https://mastodon.example/users/ana/statuses/113",
    ),
    post_url: stringField(
      "Web address of the post, or its URI when it has none.",
      "https://mastodon.example/@ana/113",
    ),
    author_account: common.author_account,
    content_snippet: common.content_snippet,
    hashtags: common.hashtags,
    stream: stringField("Hashtag of the stream that brought the post, without `#`.", "birds"),
    has_attachments: z.boolean().describe("Whether the post has media."),
    post_created_at: isoTime.describe("When the author published the post."),
    approved_at: isoTime.describe("When the post was approved."),
    is_topical: z.boolean().describe("True when the post was chosen by a topical rule of today."),
  })
  .meta({ id: "QueueItem" });
export type QueueItem = z.infer<typeof QueueItem>;

/** `GET /curated/withdrawn`. */
export const WithdrawnQuery = z.object({
  since: queryTime("Only posts that were withdrawn at this time or later.").optional(),
  ...paging(),
});
export type WithdrawnQuery = z.output<typeof WithdrawnQuery>;

export const WithdrawnPosts = z
  .object({
    withdrawn: z
      .array(
        z.object({
          fenliu_post_id: z
            .int()
            .meta({ description: "Id of the post, also of one that was deleted.", example: 42 }),
          withdrawn_at: isoTime.describe("When this was noticed."),
        }),
      )
      .describe("Newest first. A post that was acked after it was withdrawn is listed twice."),
  })
  .meta({ id: "WithdrawnPosts" });
export type WithdrawnPosts = z.infer<typeof WithdrawnPosts>;

const MAX_DETAILS_KIB = 64;

function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const errorReason = text(1000, 1).meta({
  description: "Why the post cannot be used. A fixed text lets errors group in the statistics.",
  example: "Status not found on fediverse",
});

export const ErrorReport = z
  .object({
    reason: errorReason,
    // Stored as sent; zod's record would drop a key named "__proto__".
    error_details: z
      .unknown()
      .transform((value, ctx) => {
        const problem = isJsonObject(value) ? jsonProblem(value, MAX_DETAILS_KIB) : "must be an object";
        if (problem === null) return value as Record<string, unknown>;
        ctx.addIssue({ code: "custom", message: problem });
        return z.NEVER;
      })
      .meta({ override: { type: "object", additionalProperties: {} } })
      .nullish()
      .describe("Structured details that the bot sent."),
  })
  .meta({ id: "ErrorReport", example: { reason: "Status not found on fediverse" } });
export type ErrorReport = z.infer<typeof ErrorReport>;

const counted = {
  would_delete: z.int().optional().describe("Posts that a real run would delete."),
  as_of: isoTime.optional().describe("Time of the count, to be sent with the real run."),
};

/** Answer of a cleanup. The counts only with `dry_run=true`. */
export const Deleted = z.object({ deleted: deletedField, ...counted }).meta({ id: "Deleted" });
export type Deleted = z.infer<typeof Deleted>;

/** Answer of a trim. All but `deleted` only with `dry_run=true`. */
export const Trimmed = z
  .object({
    deleted: deletedField,
    ...counted,
    pending: z.int().optional().describe("Posts that wait in the queue."),
    target: z.int().optional().describe("Number of pending posts to reach."),
  })
  .meta({ id: "Trimmed" });
export type Trimmed = z.infer<typeof Trimmed>;

export const ErrorGroup = z
  .object({
    reason: errorReason,
    limit: z.int().min(1).max(1000).default(100).describe("Change at most this many posts."),
  })
  .meta({ id: "ErrorGroup", example: { reason: "Status not found on fediverse", limit: 100 } });
export type ErrorGroup = z.output<typeof ErrorGroup>;

export const ErrorBatch = z.object({ changed: common.changed }).meta({ id: "ErrorBatch" });
export type ErrorBatch = z.infer<typeof ErrorBatch>;

/**
 * A number of days in a query: any integer from `min` on. Invalid values have errors of their own, not 422
 * (docs/api.md#422-validation).
 */
export function wholeDays(
  fallback: number,
  min: number,
  notInteger: ErrorCode,
  tooSmall: ErrorCode,
  description: string,
) {
  return z
    .string()
    .transform((value, ctx) => {
      const days = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
      if (days >= min) return Math.min(days, Number.MAX_SAFE_INTEGER);
      ctx.addIssue(refusedAs(Number.isNaN(days) ? notInteger : tooSmall));
      return z.NEVER;
    })
    .optional()
    .default(fallback)
    .meta({ override: { type: "integer", minimum: min, default: fallback }, description });
}
