import { z } from "zod";
import { sentenceOf } from "#lib/base/http/sentence-of.ts";
import { postFilters, PostFilters, PostOrder } from "./filter-schema.ts";

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
