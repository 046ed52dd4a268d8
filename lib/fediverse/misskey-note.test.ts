import { describe, expect, it } from "vitest";
import { MisskeyNote, misskeyNoteToStatus, MisskeyProfile } from "./misskey-note.ts";
import { normaliseStatus } from "./normalise-status.ts";
import { judgeConsent } from "./judge-consent.ts";

const ORIGIN = "https://mk.example";
const NOW = new Date("2026-11-21T12:00:00Z");

const user = { id: "u1", username: "mira", name: "Mira", host: null };
const note = {
  id: "9abc",
  uri: null,
  createdAt: "2026-11-21T11:00:00Z",
  text: "Look #cats",
  visibility: "public",
  user,
  tags: ["cats"],
  files: [],
};
const profile = { id: "u1", description: "I draw cats", fields: [] };

function read(raw: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const parsed = MisskeyNote.parse({ ...note, ...raw });
  const status = misskeyNoteToStatus(parsed, MisskeyProfile.parse({ ...profile, ...more }), ORIGIN);
  return normaliseStatus(status, { host: "mk.example", now: NOW });
}

function post(...about: Parameters<typeof read>) {
  const result = read(...about);
  if (!result.ok) throw new Error(`dropped: ${result.reason}`);
  return result.post;
}

describe("visibility of a note", () => {
  it.each([
    [{}, "ok"],
    [{ visibility: "home" }, "not_public"],
    [{ visibility: "followers" }, "not_public"],
    [{ visibility: "specified" }, "not_public"],
    [{ visibility: "something new" }, "not_public"],
    [{ visibility: undefined }, "not_public"],
    [{ localOnly: true }, "not_public"],
    [{ isHidden: true }, "not_public"],
    [{ user: { ...user, requireSigninToViewContents: true } }, "not_public"],
  ])("%j: %s", (raw, expected) => {
    const result = read(raw);
    expect(result.ok ? "ok" : result.reason).toBe(expected);
  });
});

describe("consent signals of a profile", () => {
  it.each([
    [{ noindex: true }, true],
    [{ noindex: false }, false],
    [{}, null],
  ])("may be in the note, as Sharkey sends them: %j", (said, noindex) => {
    expect(post({ user: { ...user, ...said } }).author.noindex).toBe(noindex);
  });

  it.each([
    [{ noCrawle: true }, "drop: noindex"],
    [{ noindex: true }, "drop: noindex"],
    [{ isSuspended: true }, "drop: suspended"],
    [{ movedTo: "https://elsewhere.example/users/mira" }, "drop: moved"],
    [{ description: "art #nobot" }, "drop: refusal_tag"],
    [{ fields: [{ name: "bots", value: "#nobot" }] }, "drop: refusal_tag"],
    [{ noCrawle: false, isSuspended: false, movedTo: null }, "keep: no_refusal"],
  ])("%j -> %s", (said, expected) => {
    const { verdict, rule } = judgeConsent(post({}, said), { policy: "moderate" });
    expect(`${verdict}: ${rule}`).toBe(expected);
  });

  it("are copied to the author", () => {
    expect(post({}, { isLocked: true, isSilenced: true, isExplorable: false }).author).toMatchObject({
      locked: true,
      limited: true,
      discoverable: false,
    });
    expect(post({}, { isLimited: true }).author.limited).toBe(true);
  });
});

describe("a renote", () => {
  const renote = {
    renoteId: "9zzz",
    renote: { id: "9zzz", text: "Look #cats", tags: ["cats"], user: { username: "ben", host: "b.example" } },
  };

  it("without an addition is a boost", () => {
    expect(read({ ...renote, text: null })).toMatchObject({ ok: false, reason: "boost" });
  });

  it.each([
    ["a text", {}],
    ["a picture", { text: null, files: [{ type: "image/png", url: "https://files.example/1.png" }] }],
    ["a poll", { text: null, poll: { choices: [{ text: "yes", votes: 1 }] } }],
  ])("with %s is a quote", (_case, raw) => {
    expect(post({ ...renote, ...raw }).quote).toMatchObject({
      account: "@ben@b.example",
      tags: ["cats"],
      content: expect.stringContaining("Look ") as string,
    });
  });
});

describe("a reply", () => {
  it.each([
    [{ id: "9abb", userId: "u1" }, true],
    [{ id: "9abb", userId: "u2" }, false],
    [null, false],
  ])("to %j is of the author's own thread: %s", (reply, isOwn) => {
    expect(post({ replyId: "9abb", reply }).is_own_thread).toBe(isOwn);
  });
});

it("is one text with Mastodon's copy of a quote", () => {
  const renote = { id: "q", uri: "https://q.example/notes/q", user: { username: "q", host: "q.example" } };
  const own = post({ text: "I agree #t", renoteId: "q", renote });
  const copied = post({ text: "I agree #t\n\nRE: https://q.example/notes/q", renoteId: "q", renote });
  expect([own.plain_text, copied.plain_text]).toEqual(["I agree #t", "I agree #t"]);
});
