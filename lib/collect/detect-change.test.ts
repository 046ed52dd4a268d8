import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeChange, type PostContent } from "./detect-change.ts";

const base: PostContent = {
  from_home: true,
  edited_at: null,
  content: "<p>A heron</p>",
  plain_text: "A heron",
  spoiler_text: null,
  media: [],
  poll: null,
  sensitive: false,
  boosts: 1,
  likes: 1,
  replies: 1,
  language: "en",
};
const medium = {
  type: "image" as const,
  url: "https://a.example/1.jpg",
  preview_url: null,
  description: "a heron",
  blurhash: null,
  width: 4,
  height: 3,
};
const poll = (title: string) => ({
  options: [{ title, votes: 0 }],
  multiple: false,
  expires_at: null,
  expired: false,
  votes: 0,
  voters: null,
});
const card = {
  url: "https://news.example/1",
  title: "Herons",
  description: "",
  type: "link",
  provider_name: "News",
  image: "https://news.example/1.png",
};
const link = (path: string, text = "A heron") =>
  `<p><a href="https://x.example${path}" rel="nofollow">${text}</a></p>`;
const text = (plain_text: string) => ({ plain_text, content: `<p>${plain_text}</p>` });
const swan = text("A swan");
const T1 = "2026-05-01T10:00:00.000Z";
const T2 = "2026-05-01T11:00:00.000Z";
const as = (change: Partial<PostContent>): PostContent => ({ ...base, ...change });
const copy = (change: Partial<PostContent> = {}) => as({ from_home: false, ...change });
const fileAt = (url: string) => ({ media: [{ ...medium, url }] });
const linked = (...of: Parameters<typeof link>) => ({ content: link(...of) });
const carded = (change: Partial<typeof card> | { image: null } = {}) => ({
  card: { ...card, ...change },
});

describe("the home server's copy", () => {
  test.each<[string, Partial<PostContent>, Partial<PostContent>, string]>([
    ["the same", {}, {}, "none"],
    ["other counters", {}, { boosts: 5 }, "none"],
    ["lower counters", {}, { likes: 0 }, "none"],
    ["another text", {}, swan, "edit"],
    ["a warning", {}, { spoiler_text: "bird" }, "edit"],
    ["an added picture", {}, { media: [medium] }, "edit"],
    ["another description", { media: [medium] }, { media: [{ ...medium, description: "a swan" }] }, "edit"],
    ["files moved", { media: [medium] }, fileAt("https://b.example/1.jpg"), "refresh"],
    [
      "files replaced by an edit",
      { media: [medium] },
      { edited_at: T1, media: [{ ...medium, url: "https://b.example/2.jpg" }] },
      "edit",
    ],
    ["files replaced without a time of edit", { media: [medium] }, fileAt("https://a.example/2.jpg"), "edit"],
    ["another poll", { poll: poll("yes") }, { poll: poll("no") }, "edit"],
    ["another address behind a link", linked("/1"), linked("/2"), "edit"],
    ["another end of a cut address", linked("/1", "x.example…"), linked("/2", "x.example…"), "edit"],
    ["another address of a mention", linked("/1", "@ana"), linked("/2", "@ana"), "refresh"],
    [
      "another address of a hashtag",
      linked("/1", "#<span>cats</span>"),
      linked("/2", "#<span>cats</span>"),
      "refresh",
    ],
    [
      "an address that became a link",
      { content: "https://x.example/1" },
      linked("/1", "https://x.example/1"),
      "refresh",
    ],
    ["a sensitive mark", {}, { sensitive: true }, "edit"],
    ["a removed sensitive mark", { sensitive: true }, {}, "edit"],
    ["another title of the card", carded(), carded({ title: "Coins" }), "refresh"],
    ["an added card", { card: null }, carded(), "refresh"],
    ["another picture of the card", carded(), carded({ image: null }), "refresh"],
    [
      "an address that the home server shortens",
      {
        from_home: false,
        plain_text: "https://x.example/1?b=2",
        content: link("/1?b=2", "https://x.example/1?b=2"),
      },
      { plain_text: "x.example/1?b…", content: link("/1?b=2", "x.example/1?b…") },
      "refresh",
    ],
    [
      "another address, shortened alike",
      { plain_text: "x.example/1…", content: link("/1?b=2", "x.example/1…") },
      { plain_text: "x.example/1…", content: link("/1?b=3", "x.example/1…") },
      "edit",
    ],
    ["another rendering", {}, { content: "<p>A <b>heron</b></p>" }, "refresh"],
    [
      "markup changed by an edit",
      {},
      { content: '<p><a href="https://x.example/">A heron</a></p>', edited_at: T1 },
      "edit",
    ],
    ["an edit that changed nothing shown", {}, { edited_at: T1 }, "refresh"],
    ["another name or language", {}, { language: "de" }, "refresh"],
    ["white space", {}, { plain_text: "A  heron\u200b", content: "<p>A heron</p>" }, "none"],
    ["an older version", { edited_at: T2 }, { edited_at: T1, ...swan }, "none"],
    ["a version before the known edit", { edited_at: T2 }, { edited_at: null, ...swan, likes: 7 }, "none"],
    ["a later edit", { edited_at: T1 }, { edited_at: T2, ...swan }, "edit"],
    ["the first home copy, same text", { from_home: false }, {}, "refresh"],
    ["the first home copy, marked as sensitive", { from_home: false }, { sensitive: true }, "edit"],
    [
      "the first home copy, marked as sensitive by its warning",
      { from_home: false, spoiler_text: "bird" },
      { sensitive: true, spoiler_text: "bird" },
      "refresh",
    ],
    ["the first home copy, not marked", { from_home: false, sensitive: true }, {}, "refresh"],
    ["the first home copy, with its own card", { from_home: false }, carded(), "refresh"],
    [
      "the first home copy, with another poll",
      { from_home: false, poll: poll("yes") },
      { poll: poll("no") },
      "edit",
    ],
    [
      "the first home copy, with another address behind a link",
      { from_home: false, content: link("/1") },
      linked("/2"),
      "edit",
    ],
    ["the first home copy, other text", { from_home: false, edited_at: T2 }, swan, "edit"],
  ])("%s", (_name, stored, seen, kind) => {
    expect(judgeChange(as(stored), as(seen))).toBe(kind);
  });
});

describe("another server's copy", () => {
  test.each<[string, PostContent, Partial<PostContent>, string]>([
    ["the same", base, {}, "none"],
    ["higher counters", base, { boosts: 5 }, "none"],
    ["lower counters", base, { boosts: 0 }, "none"],
    ["another text than the home server's", base, swan, "none"],
    ["an edit unknown from the home server", base, { ...swan, edited_at: T1 }, "differs"],
    ["an edit without a change", base, { edited_at: T1 }, "none"],
    [
      "a version before an edit known from the home server",
      as({ edited_at: T2 }),
      { ...swan, edited_at: T1 },
      "none",
    ],
    ["another text than another copy's", copy(), swan, "differs"],
    ["the same text as another copy's", copy(), { content: "<p>A heron<br></p>" }, "none"],
    ["mentions written with their host", copy(text("@ana@a.example hi")), text("@ana hi"), "none"],
    [
      "a gifv that the other server calls a video",
      as({ from_home: false, media: [{ ...medium, type: "gifv" }] }),
      { media: [{ ...medium, type: "video", url: "https://b.example/x" }] },
      "none",
    ],
    [
      "an address that the other server writes in full",
      copy({
        plain_text: "x.example/a-long-pa…",
        content: link("/a-long-path/1", "x.example/a-long-pa…"),
      }),
      {
        plain_text: "https://x.example/a-long-path/1",
        content: link("/a-long-path/1", "https://x.example/a-long-path/1"),
      },
      "none",
    ],
    [
      "a file that the other server has not fetched",
      copy({ media: [medium] }),
      { media: [{ ...medium, type: "unknown" }] },
      "none",
    ],
    [
      "a file of another type",
      copy({ media: [medium] }),
      { media: [{ ...medium, type: "audio" }] },
      "differs",
    ],
    ["a removed warning", copy({ spoiler_text: "bird" }), {}, "differs"],
    ["a sensitive mark of its own", copy(), { sensitive: true }, "none"],
  ])("%s", (_name, stored, seen, kind) => {
    expect(judgeChange(stored, copy(seen))).toBe(kind);
  });
});

const words = fc.record({
  from_home: fc.boolean(),
  edited_at: fc.constantFrom(null, T1, T2),
  content: fc.constantFrom("<p>a</p>", "<p>b</p>"),
  plain_text: fc.constantFrom("a", "b"),
  spoiler_text: fc.constantFrom(null, "w"),
  media: fc.constantFrom([], [medium]),
  poll: fc.constantFrom(null, poll("yes")),
  sensitive: fc.boolean(),
  boosts: fc.nat(2),
  likes: fc.nat(2),
  replies: fc.nat(2),
  language: fc.constantFrom("en", "de"),
}) satisfies fc.Arbitrary<PostContent>;

test("an unchanged post yields none, and only the home server can rewrite", () => {
  fc.assert(
    fc.property(words, words, (stored, seen) => {
      expect(judgeChange(stored, stored)).toBe("none");
      const kind = judgeChange(stored, seen);
      if (!seen.from_home) expect(["none", "differs"]).toContain(kind);
      else expect(kind).not.toBe("differs");
    }),
  );
});
