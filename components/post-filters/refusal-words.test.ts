import { expect, it } from "vitest";
import { PostQuery } from "#lib/posts/filter-schema.ts";
import { filterNames, type Filters } from "#lib/desk/post-filters.ts";
import { refusalWords } from "./refusal-words.ts";

function problems(filters: Filters) {
  const { error } = PostQuery.safeParse(filters);
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join("."), message }));
}
const said = (filters: Filters) => refusalWords(problems(filters), filters);

it("names the filter by its label and quotes the value", () => {
  expect(said({ since: "2026-02-30", happened: "reviewed" })).toEqual([
    "Reviewed from: “2026-02-30” is not a date",
  ]);
  expect(said({ until: "soon" })).toEqual(["Posted until: “soon” is not a date"]);
  expect(said({ stream_id: "abc", has_media: "perhaps" })).toEqual([
    "Stream: “abc” is not a valid choice",
    "Media: “perhaps” is not a valid choice",
  ]);
  expect(said({ approved: "x", reviewed: "x" })).toEqual(["State: “x” is not a valid choice"]);
  expect(said({ waited_for_review: "1h" })).toEqual(["Wait for review: must be an integer"]);
});

it("has a sentence for every invalid filter", () => {
  const wrong = "\0".repeat(9999);
  for (const name of [...filterNames, "order"] as const) {
    const sentences = said({ [name]: wrong });
    expect(sentences.length, name).toBeGreaterThan(0);
    // API names are lower case and have underscores.
    for (const sentence of sentences) expect(sentence, name).toMatch(/^[A-Z][^_]*: [^_]+$/);
  }
  expect(refusalWords([{ path: "skip", message: "must be an integer" }], {})).toEqual([
    "skip: must be an integer",
  ]);
});
