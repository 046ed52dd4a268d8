import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { BlockedHashtag, BlockedUser } from "#lib/blocking/schema.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";
import { holdsOf } from "./filters-queue.ts";

let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, post CASCADE`;
});

type Name = "users" | "hashtags";
type Entry = BlockedUser & BlockedHashtag;
const path = (name: Name) => `reblog-controls/blocked-${name}`;

const add = (name: Name, body: unknown) => send<Entry>(`POST ${path(name)}`, body);
const list = (name: Name, query = "") => send<Entry[]>(`GET ${path(name)}${query}`);
const remove = (name: Name, id: number) => send(`DELETE ${path(name)}/${id}`);

describe("blocked users", () => {
  test("an entry is normalised and listed", async () => {
    const answer = await add("users", { account_identifier: "@Spam@Host.Example" });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.any(Number) as number,
      account_identifier: "spam@host.example",
      pattern_type: "exact",
      notes: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      matches: 0,
      subdomains: false,
      held: 0,
      rejected: 0,
    });
    const listed = await list("users");
    expect(listed.status).toBe(200);
    expect(listed.json).toMatchObject([{ id: answer.json.id, account_identifier: "spam@host.example" }]);
    expect(listed.headers.get("x-total-count")).toBe("1");
  });

  test("ten parallel calls add one entry", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => add("users", { account_identifier: "a@b.example" })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe("blocked hashtags", () => {
  test("an entry keeps its spelling and is compared folded", async () => {
    const answer = await add("hashtags", { hashtag: "#Café", notes: "coffee" });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ hashtag: "Café", notes: "coffee", matches: 0 });
    for (const same of ["cafe", "CAFÉ", "ＣＡＦＥ", " #café "]) {
      expect((await add("hashtags", { hashtag: same })).status).toBe(409);
    }
    expect((await list("hashtags")).json).toMatchObject([{ id: answer.json.id, hashtag: "Café" }]);
  });
});

describe.each([
  ["users", "Blocked user not found", { account_identifier: "a@b.example" }],
  ["hashtags", "Blocked hashtag not found", { hashtag: "nonsense" }],
] as const)("blocked %s", (name, notFound, body) => {
  test("an entry is removed once, and both changes are in the audit log", async () => {
    const since = await db.audit_event.count();
    const { json } = await add(name, { ...body, notes: "why" });
    expect(await remove(name, json.id)).toMatchObject({ status: 204, text: "" });
    expect(await remove(name, json.id)).toMatchObject({ status: 404, json: { detail: notFound } });
    expect((await list(name)).json).toEqual([]);
    const lines = await db.audit_event.findMany({ orderBy: { id: "asc" }, skip: since });
    const thing = name === "users" ? "blocked_user" : "blocked_hashtag";
    expect(lines).toMatchObject([
      { action: `${thing}.create`, after: { notes: "why" } },
      { action: `${thing}.delete`, subject: lines[0]?.subject },
    ]);
    expect((await add(name, body)).status).toBe(201);
  });
});

describe("matches", () => {
  test("counts posts auto-rejected while the pattern was on the list", async () => {
    const rejected = (data: object, at: Date, reason: string) =>
      makePost({ approved: false, reviewed_at: at, auto_reject_reason: reason, ...data });
    const early = new Date(Date.now() - 3_600_000);
    const late = new Date(Date.now() + 1000);
    const spam = { author_username: "spam", instance: "bad.example", hashtags: ["Café", "x"] };
    await rejected(spam, early, "blocked_user");
    await rejected(spam, early, "blocked_hashtag");
    const pattern = await add("users", { account_identifier: "spa*", pattern_type: "prefix" });
    const tag = await add("hashtags", { hashtag: "cafe" });
    expect([pattern.json.matches, tag.json.matches]).toEqual([0, 0]);
    await rejected(spam, late, "blocked_user");
    await rejected(spam, late, "blocked_hashtag");
    await rejected(spam, late, "bot");
    const approvedAfterAll = await rejected(spam, late, "blocked_user");
    await db.post.update({ where: { id: approvedAfterAll.id }, data: { approved: true } });
    await makePending(spam);
    expect((await list("users")).json.map((entry) => entry.matches)).toEqual([2]);
    expect((await list("hashtags")).json.map((entry) => entry.matches)).toEqual([2]);
  });
});

test("a change that cannot be applied at once is stored and left to the worker", async () => {
  const post = await makePending({ author_username: "spam", instance: "bad.example" });
  await db.$executeRaw`ALTER FUNCTION hold_bits RENAME TO away`;
  try {
    expect((await add("users", { account_identifier: "spam@bad.example" })).status).toBe(201);
  } finally {
    await db.$executeRaw`ALTER FUNCTION away RENAME TO hold_bits`;
  }
  expect(await holdsOf(db, post.id)).toBe(0);
  const { applyHoldChanges } = await import("#lib/queue/hold-changes.ts");
  expect(await applyHoldChanges({ deadline: new Date(Date.now() + 5000) })).toEqual({ worked: true });
  expect(await holdsOf(db, post.id)).toBe(1);
  expect(await applyHoldChanges({ deadline: new Date(Date.now() + 5000) })).toEqual({ worked: false });
});
