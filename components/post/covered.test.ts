import { expect, it } from "vitest";
import { coverReason } from "./covered.ts";

const unmarked = { spoiler_text: null, sensitive: false, vision_category: null };

it.each([
  [{ spoiler_text: "Spiders" }, "Content warning"],
  [{ sensitive: true, vision_category: "explicit" }, "Marked sensitive"],
  [{ vision_category: "explicit" }, "Picture check: explicit"],
  [{ vision_category: "neutral" }, "May be upsetting"],
  // Hidden advice has no category.
  [{}, "May be upsetting"],
])("the cover of %o says %s", (post, expected) => {
  expect(coverReason({ ...unmarked, ...post })).toBe(expected);
});
