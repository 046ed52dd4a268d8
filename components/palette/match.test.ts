import { describe, expect, it } from "vitest";
import { isAddress, match } from "./match.ts";

describe("match", () => {
  it.each([
    ["", "Queue", 1],
    ["que", "Queue", 3],
    ["log", "Audit log", 2],
    ["audit l", "Audit log", 3],
    ["queue errors", "Queue", 3],
    ["desk", "Review", 1],
    ["eue", "Queue", 0],
    ["cats", "#cats mastodon.social", 2],
    ["#cats", "#cats mastodon.social", 3],
    ["cats social", "#cats mastodon.social", 2],
    ["ubersicht", "Übersicht", 3],
    ["猫", "#猫の写真 mastodon.social", 2],
  ])("%s answers %s with %i", (typed, name, rank) => {
    expect(match(typed, name, "desk pending errors")).toBe(rank);
  });

  it.each([
    ["https://mastodon.social/@a/1", true],
    ["HTTP://x.example", true],
    ["@a@b.example", true],
    ["a@b.example", true],
    ["acct:a@b.example", true],
    ["@a@localhost:3000", true],
    ["@a", false],
    ["heron at the weir", false],
    ["https://x.example and more", false],
    ["a@b c", false],
  ])("%s is an address: %s", (typed, is) => expect(isAddress(typed)).toBe(is));
});
