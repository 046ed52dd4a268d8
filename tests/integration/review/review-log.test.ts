import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import type { Log } from "#lib/review/log-schema.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

const member = await makeMember("reviewer", { name: "Ann" });
const send = sender({ key: await makeKey({ role: "viewer" }) });
const BATCH = "7d1b2a52-6d0e-4b8e-9a3b-0f7f6a9d2c11";
const log = (query = "") => send<Log>(`GET audit?${query}`);

/** Page by page, of two lines. */
async function actions(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Log = (await log(`limit=2&${query}${cursor && `&cursor=${cursor}`}`)).json;
    seen.push(...page.items.map((line) => line.action));
    cursor = page.next_cursor;
  }
  return seen;
}

let postId = 0;
let goneId = 0;

beforeAll(async () => {
  const post = await makePost({ snippet: "A heron" });
  postId = post.id;
  goneId = post.id + 1_000_000;
  const at = (hour: number) => new Date(Date.UTC(2026, 3, 1, hour));
  const line = { post_id: postId, actor: "Ann", member_id: member.id, source: "screen" };
  const service = { source: "filter", actor: "Sluice", member_id: null };
  const batch = { batch: BATCH, decision: "approve", changed: 3 };
  await db.post_event.createMany({
    data: [
      { ...line, at: at(1), action: "approve", from_state: "unreviewed", to_state: "pending" },
      { ...line, at: at(2), action: "reserve", source: "api", actor: "bot" },
      { ...line, at: at(3), action: "reject", from_state: "pending", to_state: "rejected", note: "spam" },
      { ...line, at: at(4), action: "auto_reject", ...service, note: "blocked_user", post_id: goneId },
      { ...line, at: at(5), action: "approve", details: { batch_id: BATCH } },
      { ...line, at: at(6), action: "batch", post_id: 0, details: batch },
    ],
  });
  const ann = { actor: "Ann", member_id: member.id, source: "screen" };
  await db.audit_event.createMany({
    data: [
      {
        ...ann,
        at: at(1),
        action: "stream.create",
        subject: "#cats on mastodon.social",
        after: { hashtag: "cats" },
      },
      { at: at(2), actor: "Bob", source: "api", action: "key.revoke", subject: "-key" },
      { ...ann, at: at(3), action: "stream.delete", subject: "#cats", before: { hashtag: "cats" } },
      { ...ann, at: at(4), action: "streamline", subject: "x" },
    ],
  });
});

describe("GET /audit", () => {
  it("lists decisions newest first, without deliveries and the lines of a batch", async () => {
    const { json } = await log("action=decisions");
    expect(json.items.map((line) => line.action)).toEqual(["batch", "auto_reject", "reject", "approve"]);
    expect(json.next_cursor).toBeNull();
    expect(json.items[0]).toMatchObject({
      post_id: null,
      batch: { id: BATCH, decision: "approve", changed: 3 },
    });
    expect(json.items[1]).toMatchObject({ post_id: goneId, post: null, source: "filter" });
    expect(json.items[2]).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      kind: "decision",
      at: "2026-04-01T03:00:00.000Z",
      actor: "Ann",
      member_id: member.id,
      source: "screen",
      action: "reject",
      subject: null,
      before: null,
      after: null,
      post_id: postId,
      from: "pending",
      to: "rejected",
      note: "spam",
      reject_reason: null,
      reject_reason_label: null,
      batch: null,
      post: {
        url: expect.stringContaining("https://") as string,
        author_account: expect.stringContaining("@") as string,
        snippet: "A heron",
      },
    });
  });

  it("lists changes with before and after", async () => {
    const { json } = await log("action=changes&limit=3");
    expect(json.items.map((line) => line.action)).toEqual(["streamline", "stream.delete", "key.revoke"]);
    const change = { kind: "change", before: { hashtag: "cats" }, after: null, subject: "#cats" };
    expect(json.items[1]).toMatchObject({ ...change, post_id: null, batch: null, post: null });
    expect((await log("action=changes&limit=4")).json.next_cursor).toBeNull();
  });

  it.each([
    ["action=decisions", ["batch", "auto_reject", "reject", "approve"]],
    ["action=changes", ["streamline", "stream.delete", "key.revoke", "stream.create"]],
    ["action=approve", ["approve"]],
    ["action=stream", ["stream.delete", "stream.create"]],
    ["actor=Bob", ["key.revoke"]],
    ["source=filter", ["auto_reject"]],
    [`batch=${BATCH}`, ["approve"]],
    [
      "since=2026-04-01T03:00:00Z&until=2026-04-01T04:00:00Z",
      ["auto_reject", "streamline", "reject", "stream.delete"],
    ],
    ["until=2026-04-01T02:00:00Z", ["key.revoke", "approve", "stream.create"]],
  ])("?%s", async (query, expected) => {
    expect(await actions(query)).toEqual(expected);
  });

  it("filters by member, and lists every line of one post", async () => {
    const own = ["batch", "streamline", "reject", "stream.delete", "approve", "stream.create"];
    expect(await actions(`member_id=${member.id}`)).toEqual(own);
    expect(await actions(`post_id=${postId}`)).toEqual(["approve", "reject", "reserve", "approve"]);
  });

  it("pages through both kinds by time, without gaps or repeats while lines are added", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Log = (await log(`limit=1${cursor ? `&cursor=${cursor}` : ""}`)).json;
      expect(page.items).toHaveLength(1);
      seen.push(...page.items.map((line) => line.action));
      cursor = page.next_cursor;
      if (seen.length === 2)
        await db.post_event.create({ data: { post_id: 5, actor: "late", source: "api", action: "skip" } });
    }
    expect(seen).toEqual([
      ...["batch", "auto_reject", "streamline", "reject", "stream.delete", "key.revoke", "approve"],
      "stream.create",
    ]);
    await db.post_event.deleteMany({ where: { actor: "late" } });
  });
});
