import { expect, it } from "vitest";
import { readSavedFilters, withoutSavedFilter, withSavedFilter } from "./saved-filters.ts";

const japanese = { name: "Japanese", filter: { language: "ja", has_media: "true" } };
const otters = { name: "Otters", filter: { q: "otter" } };

it("saved filters are read by name, without what is none", () => {
  const stored = [
    otters,
    { name: "Japanese", filter: { language: "ja", has_media: true } },
    { name: "", filter: {} },
    { name: "x" },
    { filter: { q: "y" } },
    null,
    "z",
  ];
  expect(readSavedFilters({ saved_filters: stored })).toEqual([japanese, otters]);
  for (const saved_filters of [undefined, null, "x", {}])
    expect(readSavedFilters({ saved_filters })).toEqual([]);
});

it("a filter replaces the one of its name, and is removed by name", () => {
  const again = { name: "Otters", filter: { q: "sea otter" } };
  expect(withSavedFilter([otters], japanese)).toEqual([japanese, otters]);
  expect(withSavedFilter([japanese, otters], again)).toEqual([japanese, again]);
  expect(withoutSavedFilter([japanese, otters], "Japanese")).toEqual([otters]);
});
