import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PollBox } from "./poll-box.tsx";
import { readPoll } from "./read-extras.ts";

const poll = (votes: readonly number[], more: Record<string, unknown>) => ({
  options: votes.map((count, at) => ({ title: `Answer ${at + 1}`, votes: count })),
  multiple: false,
  expired: true,
  expires_at: null,
  votes: votes.reduce((sum, count) => sum + count, 0),
  ...more,
});

function drawn(value: Record<string, unknown>): string[] {
  const read = readPoll(value);
  if (read === null) throw new Error("This is no poll");
  const markup = renderToStaticMarkup(<PollBox poll={read} postId={1} emojis={[]} />);
  return [...markup.matchAll(/<span[^>]*tabular[^>]*>([^<]*)<|<span>([^<]*)</g)].map(
    ([, share, note]) => share ?? note ?? "",
  );
}

describe("a poll", () => {
  it("shows 100 % without decimals", () => {
    expect(drawn(poll([12, 0], {}))).toEqual(["100 % · 12", "0 % · 0", "12 votes", "ended"]);
  });
  it("shows shares of voters for multiple choice when the source counts them", () => {
    expect(drawn(poll([8, 7], { multiple: true, voters: 10 })).slice(0, 4)).toEqual([
      "80 % · 8",
      "70 % · 7",
      "15 votes",
      "by 10 people",
    ]);
    expect(drawn(poll([6, 2], { multiple: true, voters: null }))[0]).toBe("75 % · 6");
  });
  it("shows no shares without votes", () => {
    expect(drawn(poll([0, 0], {}))).toEqual(["0 votes", "ended"]);
  });
});
