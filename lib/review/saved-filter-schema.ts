import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { atLeastOneKey, MAX_ID, queryInteger, stringField, text } from "#lib/http/fields.ts";
import { sentenceOf } from "#lib/http/sentence-of.ts";
import { postFilters, PostFilters, PostOrder } from "#lib/posts/filter-schema.ts";

const filterKeys = new Set([...Object.keys(postFilters), "order"]);

/**
 * Filters of `GET /posts` in a JSON body. An unknown name is an error, because ignoring it would select everything.
 */
export const FilterInput = z
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
export type FilterInput = z.infer<typeof FilterInput>;

function asQuery(filter: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, String(value)]));
}

export function filtersOf(filter: FilterInput): PostFilters {
  return PostFilters.parse(asQuery(filter));
}

export const SavedFilterInput = z
  .object({
    name: text(80, 1)
      .refine((name) => name.trim() !== "", "must not be blank")
      .meta({ description: "Name.", example: "Boost bot" }),
    filter: FilterInput.describe("Filter of `GET /posts`."),
    shared: z.boolean().default(false).describe("Whether every member sees it."),
    replace: z
      .boolean()
      .default(false)
      .describe("Replaces the member's own filter of that name instead of answering 409."),
  })
  .meta({
    id: "SavedFilterInput",
    example: { name: "Japanese with pictures", filter: { language: "ja", has_media: true } },
  });
export type SavedFilterInput = z.infer<typeof SavedFilterInput>;

export const SavedFilter = z
  .object({
    id: common.id,
    name: common.name,
    filter: z.record(z.string(), z.unknown()).describe("Filter of `GET /posts`."),
    shared: z.boolean().describe("Whether every member sees it."),
    own: z.boolean().describe("Whether the caller made it."),
    owner: stringField("Name of the member who made it.", "Ana"),
    created_at: common.created_at,
    updated_at: common.updated_at,
  })
  .meta({ id: "SavedFilter" });
export type SavedFilter = z.infer<typeof SavedFilter>;

/** The member's own by name, or any by id. */
export const SavedFilterName = atLeastOneKey(
  z.object({
    name: text(80, 1).optional().describe("Name of the filter."),
    id: queryInteger(1, MAX_ID).optional().describe("Id of the filter."),
  }),
);
