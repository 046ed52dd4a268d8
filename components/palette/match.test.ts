import { describe, expect, it } from "vitest";
import { match } from "./match.ts";

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
});
