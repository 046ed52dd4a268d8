import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { AuthorHistory as History } from "#lib/review/author-schema.ts";
import { AuthorHistory } from "./author-history.tsx";

const none: History = {
  stored: 21,
  approved: 0,
  rejected: 0,
  auto_rejected: 0,
  last_decisions: [],
};

const textOf = (history: Partial<History>) =>
  renderToStaticMarkup(<AuthorHistory history={{ ...none, ...history }} blocked={false} />)
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/\|+/g, "|");

describe("the history of an author", () => {
  it("says that posts are stored and none is decided", () => {
    expect(textOf({})).toBe("|21 stored, 0 decided|");
  });
  it("does not count rejections by filters as decided", () => {
    expect(textOf({ rejected: 3, auto_rejected: 3 })).toContain("|21 stored, 0 decided|");
    expect(textOf({ approved: 4, rejected: 3, auto_rejected: 1 })).toBe(
      "|21 stored, 6 decided|4 approved|3 rejected|",
    );
  });
});
