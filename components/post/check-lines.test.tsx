import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ScoreCheck } from "#lib/checks/score/schema.ts";
import { CheckLines } from "./check-lines.tsx";

const check = {
  name: "picture_explicit",
  kind: "picture",
  version: "model-7",
  score: 0.62,
  threshold: 0.7,
  votes: true,
  reason: null,
} as unknown as ScoreCheck;

const textOf = (isBrief: boolean, more: Partial<ScoreCheck> = {}) =>
  renderToStaticMarkup(<CheckLines checks={[{ ...check, ...more }]} isBrief={isBrief} />).replaceAll(
    /<[^>]*>/g,
    " ",
  );

it("the desk compares a score with its threshold, without figures and versions", () => {
  expect(textOf(true)).toContain("Below its threshold");
  expect(textOf(true, { score: 0.8 })).toContain("Over its threshold");
  expect(textOf(true)).not.toMatch(/62|70|model-7/);
});

it("the page of the post has the figures", () => {
  expect(textOf(false)).toMatch(/62.*70.*model-7/);
});
