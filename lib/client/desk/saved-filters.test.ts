import { expect, it } from "vitest";
import { readSavedFilters } from "./saved-filters.ts";

it("saved filters are read by name, without what is none", () => {
  const japanese = { name: "Japanese", query: "language=ja&has_media=true" };
  const otters = { name: "Otters", query: "q=otter" };
  const stored = [otters, japanese, { name: "", query: "" }, { name: "x" }, { query: "q=y" }, null, "z"];
  expect(readSavedFilters({ saved_filters: stored })).toEqual([japanese, otters]);
  for (const saved_filters of [undefined, null, "x", {}])
    expect(readSavedFilters({ saved_filters })).toEqual([]);
});
