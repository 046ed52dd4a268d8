import { z } from "zod";
import { atLeastOneKey, isoTime, MAX_ID, queryInteger, text } from "#lib/http/fields.ts";
import { sentenceOf } from "#lib/http/sentence-of.ts";
import { postFilters, PostFilters, PostOrder } from "#lib/posts/schema.ts";

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
    name: text(80, 1).refine((name) => name.trim() !== "", "must not be blank"),
    filter: FilterInput,
    shared: z.boolean().default(false),
    replace: z
      .boolean()
      .default(false)
      .meta({ description: "Replaces the member's own filter of that name instead of answering 409." }),
  })
  .meta({
    id: "SavedFilterInput",
    example: { name: "Japanese with pictures", filter: { language: "ja", has_media: true } },
  });
export type SavedFilterInput = z.infer<typeof SavedFilterInput>;

export const SavedFilter = z
  .object({
    id: z.int(),
    name: z.string(),
    filter: z.record(z.string(), z.unknown()),
    shared: z.boolean(),
    own: z.boolean(),
    owner: z.string(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({ id: "SavedFilter" });
export type SavedFilter = z.infer<typeof SavedFilter>;

/** The member's own by name, or any by id. */
export const SavedFilterName = atLeastOneKey(
  z.object({ name: text(80, 1).optional(), id: queryInteger(1, MAX_ID).optional() }),
);
