import { expect, it } from "vitest";
import { filterNames, listFilterNames } from "#lib/desk/post-filters.ts";
import { listFilterWords } from "./list-filter-words.ts";

it("has texts for exactly the filters of lists", () => {
  const all = Object.fromEntries(filterNames.map((name) => [name, "x"]));
  expect(filterNames.filter((name) => listFilterWords(name, all) !== null)).toEqual([...listFilterNames]);
});
