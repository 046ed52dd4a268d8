import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { bodyId, isoTime, stringField, text } from "#lib/base/http/fields.ts";
import { sentenceOf } from "#lib/base/http/sentence-of.ts";
import { MAX_NOTE, postVersion, rejectReason } from "./change-schema.ts";
import { incompleteResults } from "./post-schema.ts";
import { postFilters, PostFilters, PostOrder } from "./filter-schema.ts";

/** Posts that a request may name by id. */
export const MAX_BATCH = 500;
/** Posts that a filter may match. */
export const MAX_FILTER_BATCH = 10_000;

const filterKeys = new Set([...Object.keys(postFilters), "order"]);

/**
 * Filters of `GET /posts` in a JSON body. An unknown name is an error, because ignoring it would select everything.
 */
const FilterInput = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean()], { error: "must be a text, a number, true or false" }),
  )
  .superRefine((filter, ctx) => {
    for (const key of Object.keys(filter)) {
      if (!filterKeys.has(key)) ctx.addIssue({ code: "custom", path: [key], message: "is not a filter" });
    }
    const { error } = PostFilters.extend({ order: PostOrder.optional() }).safeParse(asQuery(filter), {
      error: sentenceOf,
    });
    for (const issue of error?.issues ?? [])
      ctx.addIssue({ code: "custom", path: issue.path, message: issue.message });
  })
  .meta({ id: "PostFilter", example: { reviewed: false, language: "en" } });

function asQuery(filter: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, String(value)]));
}

/** The filters of a valid `FilterInput`. */
/** Alone, these would select every post. */
function isNoFilter([name, value]: [string, string | number | boolean]): boolean {
  return name === "order" || String(value).trim() === "";
}

export function filtersOf(filter: z.infer<typeof FilterInput>): PostFilters {
  return PostFilters.parse(asQuery(filter));
}

export const BatchRequest = z
  .object({
    post_ids: z.array(bodyId).min(1).max(MAX_BATCH).optional().describe("Ids of posts."),
    filter: FilterInput.optional().describe("Filter of `GET /posts`."),
    decision: z.enum(["approve", "reject"]).describe("The decision."),
    reject_reason: rejectReason,
    note: text(MAX_NOTE).nullish().describe("Note; null for none."),
    shown: z
      .array(
        z.object({
          id: bodyId.meta({ description: "Id of this entry.", example: 4 }),
          approved: common.approved,
          version: postVersion,
        }),
      )
      .max(MAX_BATCH)
      .optional()
      .describe(
        "Reviews and versions as the caller saw them: a post that was reviewed or edited since stays as it is.",
      ),
  })
  .superRefine((body, ctx) => {
    if (body.decision === "approve" && body.reject_reason != null) {
      ctx.addIssue({ code: "custom", path: ["reject_reason"], message: "needs a rejection" });
    }
    if ((body.post_ids === undefined) === (body.filter === undefined)) {
      ctx.addIssue({ code: "custom", path: ["post_ids"], message: "give either post_ids or filter" });
    }
    if (body.filter && Object.entries(body.filter).every(isNoFilter)) {
      ctx.addIssue({ code: "custom", path: ["filter"], message: "must name at least one filter" });
    }
  })
  .meta({ id: "BatchRequest", example: { post_ids: [41, 42], decision: "reject", reject_reason: 1 } });
export type BatchRequest = z.infer<typeof BatchRequest>;

export const BatchResult = z
  .object({
    batch_id: stringField("Id of the batch, for undoing it.", "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11"),
    changed: common.changed,
    unchanged: z
      .array(
        z.object({
          post_id: common.post_id,
          detail: stringField(
            "Why nothing was changed, in one sentence.",
            "Post is in state 'delivered', expected 'pending'",
          ),
        }),
      )
      .describe("Posts that were left as they were."),
    incomplete_results: incompleteResults,
    as_of: isoTime
      .optional()
      .describe("With `dry_run`: time of the count, to be sent with the real request."),
  })
  .meta({ id: "BatchResult" });
export type BatchResult = z.infer<typeof BatchResult>;

/** Answer with `dry_run`. */
export const BatchCount = BatchResult.omit({ batch_id: true })
  .extend({ as_of: isoTime.describe("Time of the count, to be sent with the real request.") })
  .meta({ id: "BatchCount" });
export type BatchCount = z.infer<typeof BatchCount>;
