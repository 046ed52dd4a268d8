import { describe, expect, it } from "vitest";
import { readAddress } from "./read-address.ts";

describe("a pasted address", () => {
  it.each([
    ["@Alice@Mastodon.social", "alice@mastodon.social"],
    ["acct:alice@mastodon.social", "alice@mastodon.social"],
    [" https://mastodon.social/@alice ", "alice@mastodon.social"],
    ["https://mastodon.social/users/alice/", "alice@mastodon.social"],
    ["https://elsewhere.example/@alice@mastodon.social", "alice@mastodon.social"],
    ["https://elsewhere.example/@alice@mastodon.social/113", "alice@mastodon.social"],
    ["https://mastodon.social/deck/@alice/113", "alice@mastodon.social"],
    ["https://misskey.example/notes/9abc", null],
    ["heron", null],
    ["#herons", null],
    ["https://", null],
    ["", null],
  ])("%s names %s", (pasted, author) => expect(readAddress(pasted).author).toBe(author));

  it.each([
    ["https://m.example/@a/1", ["https://m.example/@a/1", "https://m.example/users/a/statuses/1"]],
    [
      "https://m.example/web/@a/1",
      ["https://m.example/web/@a/1", "https://m.example/@a/1", "https://m.example/users/a/statuses/1"],
    ],
    [
      "https://m.example/users/a/statuses/1",
      ["https://m.example/users/a/statuses/1", "https://m.example/@a/1"],
    ],
    [
      "https://m.example/notes/9/?x=1#top",
      [
        "https://m.example/notes/9/?x=1#top",
        "https://m.example/notes/9/?x=1",
        "https://m.example/notes/9?x=1",
      ],
    ],
    ["https://M.Example:8443/p/1", ["https://M.Example:8443/p/1", "https://m.example:8443/p/1"]],
    ["@a@m.example", []],
  ])("%s may be a post stored as …", (pasted, posts) => expect(readAddress(pasted).posts).toEqual(posts));
});
