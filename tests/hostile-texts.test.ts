import { describe, expect, it } from "vitest";
import { diffText } from "#components/post/edit-difference.tsx";
import { searchQuery } from "#lib/base/tokens.ts";
import { plainLine } from "#lib/checks/remote/chat-model.ts";
import { readText } from "#lib/checks/rules/read-text.ts";
import { normaliseText, textFingerprint } from "#lib/checks/rules/repeats.ts";
import { foldWord, phrasesIn, wordsOf } from "#lib/checks/words/words.ts";
import { judgeChange } from "#lib/collect/detect-change.ts";
import { toIngestRow } from "#lib/collect/post-row.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { MisskeyNote, misskeyNoteToStatus, MisskeyProfile } from "#lib/fediverse/misskey-note.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { featuresOf } from "#tests/setup/feature-input.ts";

/*
 * Texts of 100 kB that are made to be slow. All work on one text takes time in proportion to its length: no function
 * takes longer than this.
 */

const MAX_MS = 500;
const SIZE = 99_000;

const fill = (unit: string, bytes = SIZE) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
const inTwo = (first: string, second: string) => fill(first, SIZE / 2) + fill(second, SIZE / 2);

const shapes: Record<string, string> = {
  "marks of two classes": `a${inTwo("\u0301", "\u0323")}`,
  "marks and voicing marks of half width": `a${inTwo(`${"\u0301".repeat(29)}\uff9e`, `${"\u0323".repeat(29)}\uff9e`)}`,
  "marks split by invisible characters": `#a${inTwo(`${"\u0301".repeat(29)}\u200b`, `${"\u0323".repeat(29)}\u200b`)}`,
  "ligatures of 18 letters": fill("\ufdfa"),
  "zero-width non-joiners in a hashtag": `#a${fill("\u200c")}`,
  "joined emoji": fill("👩\u200d"),
  kanji: fill("漢字仮名交"),
  "one word": fill("a"),
  sigmas: fill("Σ'"),
  "hashtags without spaces": fill("#a"),
  "one hashtag": `#${fill("a")}`,
  "mentions without spaces": fill("@a."),
  "one mention of dots": `@a${fill(".-")}`,
  "mention of host parts": `@a@${fill("a.")}`,
  "dots and dashes": fill("a-."),
  "spaces before a letter": `${fill(" ")}x`,
  "lines of spaces": fill("\n "),
  "emoji codes": fill(":a:"),
  "&#": fill("&#"),
  "few open paragraphs": fill(`<p>${"x".repeat(30)}`),
  "few line breaks": fill("<br>".padEnd(30, "x")),
  "nested elements": inTwo("<b>", "</b>"),
  "few nested blocks": fill(`<blockquote>${"x".repeat(30)}`),
  "few nested spans": fill(`<span class="ellipsis">${"x".repeat(20)}`),
  "few open links": fill(`<a href="https://a.example/">${"x".repeat(20)}`),
  "links to hashtags": fill('<a href="https://a.example/tags/x">#x</a> '),
  "open tags": fill("<a "),
  "one tag of attributes": `<a ${fill("x=1 ")}>`,
  comments: fill("<!--"),
  "code blocks": fill("```a\n"),
  "Markdown links": fill("[a]("),
  decorations: fill("$[x "),
};

const HOST = "hostile.example";
const account = { acct: "a", url: `https://${HOST}/@a` };
const status = {
  id: "1",
  uri: `https://${HOST}/users/a/statuses/1`,
  created_at: "2026-05-04T12:00:00.000Z",
  visibility: "public",
  content: "",
  account,
};
const normalise = (given: object) =>
  normaliseStatus({ ...status, ...given }, { host: HOST, now: new Date() });
const list = <T>(count: number, item: (n: number) => T) => Array.from({ length: count }, (_, n) => item(n));
const url = (n: number) => `https://${HOST}/${n}`;

/** Of a text as another server sends it. */
const readers: Record<string, (text: string) => unknown> = {
  content: (text) => normalise({ content: text }),
  "every other text": (text) =>
    normalise({
      spoiler_text: text,
      tags: list(500, (n) => ({ name: `${n}${text.slice(0, 500)}` })),
      media_attachments: list(8, (n) => ({ url: url(n), description: text.slice(0, 15_000) })),
      poll: { options: list(50, () => ({ title: text.slice(0, 2_000) })) },
      card: { url: url(0), title: text, description: text },
      emojis: list(300, (n) => ({ shortcode: `${n}${text.slice(0, 100)}`, url: url(n) })),
      mentions: list(20_000, () => ({})),
      account: {
        ...account,
        display_name: text,
        note: text.slice(0, 50_000),
        fields: list(4, () => ({ name: text, value: text })),
      },
    }),
  "a note of Misskey": (text) =>
    normalise(
      misskeyNoteToStatus(
        MisskeyNote.parse({ id: "1", text, user: { username: "a" }, visibility: "public" }),
        MisskeyProfile.parse({ description: text }),
        `https://${HOST}`,
      ),
    ),
};

/** Of a normalised post. */
const uses: Record<string, (post: NormalisedPost) => unknown> = {
  "row of the database": (post) => toIngestRow(post, {}),
  "comparison with an edit": (post) => {
    const words = toIngestRow(post, {});
    return judgeChange(words, { ...words, plain_text: `${words.plain_text}x` });
  },
  fingerprint: (post) => textFingerprint(post.plain_text),
  "facts of the rules": (post) => readText(post.content_html),
  "words of lists": (post) => {
    const words = wordsOf(post.plain_text.slice(0, 10_000));
    return phrasesIn(
      words,
      list(500, (n) => `word${n} x`),
    );
  },
  features: ({ content_html: content, plain_text, hashtags }) =>
    featuresOf({ content, plain_text, hashtags }),
  "text for a remote model": (post) => plainLine(post.plain_text, 5_000),
  emoji: (post) =>
    pickEmojis(
      list(200, (n) => ({ shortcode: `e${n}`, url: url(n) })),
      [post.content_html],
    ),
  "difference on the screen": (post) => diffText(post.plain_text, post.plain_text.slice(1_000)),
};

/** Of a text that was stored before its marks were cut, and of one that a member types, without its limit. */
const stored: Record<string, (text: string) => unknown> = {
  "repeated text": normaliseText,
  words: wordsOf,
  "word of a list": (text) => foldWord(text.slice(0, 10_000)),
  hashtag: foldHashtag,
  "search query": searchQuery,
  features: (text) => featuresOf({ plain_text: text }),
};

function millisecondsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe.each(Object.entries(shapes))("100 kB of %s", (_shape, text) => {
  it("is read, judged and stored in bounded time", { timeout: 60_000 }, () => {
    const times: Record<string, number> = {};
    for (const [name, read] of Object.entries(readers)) times[name] = millisecondsOf(() => read(text));
    for (const [name, use] of Object.entries(stored))
      times[`stored: ${name}`] = millisecondsOf(() => use(text));
    const result = normalise({ content: text });
    const post = result.ok ? result.post : null;
    for (const [name, use] of Object.entries(uses))
      if (post !== null) times[name] = millisecondsOf(() => use({ ...post }));
    expect(Object.entries(times).filter(([, ms]) => ms > MAX_MS)).toEqual([]);
  });
});
