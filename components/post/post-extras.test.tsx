import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PostExtras } from "./post-extras.tsx";

const poll = (votes: readonly number[], more: Record<string, unknown>) => ({
  options: votes.map((count, at) => ({ title: `Answer ${at + 1}`, votes: count })),
  multiple: false,
  expired: true,
  expires_at: null,
  votes: votes.reduce((sum, count) => sum + count, 0),
  ...more,
});

/** What is read of each answer, and of the whole. */
function drawn(value: Record<string, unknown>): string[] {
  const markup = renderToStaticMarkup(
    <PostExtras post={{ id: 1, quote: null, poll: value, card: null }} emojis={[]} />,
  );
  return [...markup.matchAll(/<span[^>]*tabular[^>]*>([^<]*)<|<span>([^<]*)</g)].map(
    ([, share, note]) => share ?? note ?? "",
  );
}

describe("a poll", () => {
  it("that one answer won alone says so without a tenth", () => {
    expect(drawn(poll([12, 0], {}))).toEqual(["100 % · 12", "0 % · 0", "12 votes", "ended"]);
  });
  it("with several answers tells shares of the people, where its source counted them", () => {
    expect(drawn(poll([8, 7], { multiple: true, voters: 10 })).slice(0, 4)).toEqual([
      "80 % · 8",
      "70 % · 7",
      "15 votes",
      "by 10 people",
    ]);
    expect(drawn(poll([6, 2], { multiple: true, voters: null }))[0]).toBe("75 % · 6");
  });
  it("without a vote has no shares", () => {
    expect(drawn(poll([0, 0], {}))).toEqual(["0 votes", "ended"]);
  });
});
