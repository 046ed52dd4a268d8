import { expect, it } from "vitest";
import { formatCount } from "#components/words/format.ts";
import { reviewTools } from "#components/words/en/review-tools.ts";
import { MAX_SEARCHED } from "#lib/posts/schema.ts";

it("names the limit of a search for frequent words", () => {
  expect(reviewTools.incompleteSearch).toContain(`only the first ${formatCount(MAX_SEARCHED)} posts`);
});
