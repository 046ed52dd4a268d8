import { expect, test } from "vitest";
import { guessRefusal } from "./refusal-guess.ts";

test.each([
  [{ nacks: 0, timeouts: 5, content_snippet: "Words" }, "silent"],
  [{ nacks: 0, timeouts: 5, content_snippet: "" }, "silent"],
  [{ nacks: 7, timeouts: 0, content_snippet: "Words" }, "given_back"],
  [{ nacks: 7, timeouts: 0, content_snippet: " " }, "no_text"],
  [{ nacks: 4, timeouts: 1, content_snippet: "Words" }, "mixed"],
] as const)("%o is guessed as %s", (post, guess) => {
  expect(guessRefusal(post)).toBe(guess);
});
