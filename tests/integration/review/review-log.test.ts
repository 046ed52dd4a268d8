import { beforeAll, describe, expect, it } from "vitest";
import type { AuditLog } from "#lib/accounts/audit-schema.ts";
import { db } from "#lib/base/db.ts";
import type { ReviewLog } from "#lib/review/log-schema.ts";
import { readTeamLog } from "#lib/review/team-log.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

const member = await makeMember("reviewer", { name: "Ann" });
const send = sender({ key: await makeKey({ role: "viewer" }) });
const log = (query = "") => send<ReviewLog>(`GET review/log?${query}`);
const audit = (query: string) => send<AuditLog>(`GET audit?${query}`);
const actions = async (query: string) => (await log(query)).json.items.map((line) => line.action);

let postId = 0;
let goneId = 0;

beforeAll(async () => {
  const post = await makePost({ snippet: "A heron" });
  postId = post.id;
  goneId = post.id + 1_000_000;
  const at = (hour: number) => new Date(Date.UTC(2026, 3, 1, hour));
  const line = { post_id: postId, actor: "Ann", member_id: member.id, source: "screen" };
  const service = { source: "filter", actor: "Sluice", member_id: null };
  const batch = { batch: "b", decision: "approve", changed: 3 };
  await db.post_event.createMany({
    data: [
      { ...line, at: at(1), action: "approve", from_state: "unreviewed", to_state: "pending" },
      { ...line, at: at(2), action: "reserve", source: "api", actor: "bot" },
      { ...line, at: at(3), action: "reject", from_state: "pending", to_state: "rejected", note: "spam" },
      { ...line, at: at(4), action: "auto_reject", ...service, note: "blocked_user", post_id: goneId },
      { ...line, at: at(5), action: "approve", details: { batch_id: "b" } },
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

describe("GET /review/log", () => {
  it("lists newest first, without deliveries and the lines of a batch", async () => {
    const { json } = await log();
    expect(json.items.map((line) => line.action)).toEqual(["batch", "auto_reject", "reject", "approve"]);
    expect(json.next_cursor).toBeNull();
    expect(json.items[0]).toMatchObject({
      post_id: null,
      batch: { id: "b", decision: "approve", changed: 3 },
    });
    expect(json.items[1]).toMatchObject({ post_id: goneId, post: null, source: "filter" });
    expect(json.items[2]).toEqual({
      id: expect.stringMatching(/^\d+$/) as string,
      at: "2026-04-01T03:00:00.000Z",
      actor: "Ann",
      member_id: member.id,
      source: "screen",
      action: "reject",
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

  it.each([
    ["action=approve", ["approve"]],
    ["actor=Ann", ["batch", "reject", "approve"]],
    ["since=2026-04-01T03:00:00Z&until=2026-04-01T04:00:00Z", ["auto_reject", "reject"]],
  ])("?%s", async (query, expected) => {
    expect(await actions(query)).toEqual(expected);
  });

  it("filters by member, and lists every line of one post", async () => {
    expect(await actions(`member_id=${member.id}`)).toEqual(["batch", "reject", "approve"]);
    expect(await actions(`post_id=${postId}`)).toEqual(["approve", "reject", "reserve", "approve"]);
  });

  it("pages by cursor without gaps or repeats while lines are added", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: ReviewLog = (await log(`limit=1${cursor ? `&cursor=${cursor}` : ""}`)).json;
      expect(page.items).toHaveLength(1);
      seen.push(...page.items.map((line) => line.action));
      cursor = page.next_cursor;
      if (seen.length === 2)
        await db.post_event.create({ data: { post_id: 5, actor: "late", source: "api", action: "skip" } });
    }
    expect(seen).toEqual(["batch", "auto_reject", "reject", "approve"]);
    await db.post_event.deleteMany({ where: { actor: "late" } });
  });
});

describe("GET /audit", () => {
  it("lists newest first, with before and after", async () => {
    const { json } = await audit("limit=3");
    expect(json.items.map((line) => line.action)).toEqual(["streamline", "stream.delete", "key.revoke"]);
    expect(json.items[1]).toMatchObject({ before: { hashtag: "cats" }, after: null, subject: "#cats" });
    const rest = await audit(`limit=3&cursor=${json.next_cursor}`);
    expect(rest.json).toMatchObject({ items: [{ action: "stream.create" }], next_cursor: null });
    expect((await audit("limit=4")).json.next_cursor).toBeNull();
  });

  it.each([
    ["action=stream", ["stream.delete", "stream.create"]],
    ["actor=Bob", ["key.revoke"]],
    ["until=2026-04-01T02:00:00Z", ["key.revoke", "stream.create"]],
  ])("?%s", async (query, expected) => {
    expect((await audit(query)).json.items.map((line) => line.action)).toEqual(expected);
  });
});

describe("the log of the settings", () => {
  const read = async (filter: object) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await readTeamLog({ scopes: ["read"] }, { limit: 2, ...filter, cursor });
      seen.push(...page.items.map((line) => line.action));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return seen;
  };

  it.each([
    [
      "everything by time, page by page",
      {},
      [
        "batch",
        "auto_reject",
        "streamline",
        "reject",
        "stream.delete",
        "key.revoke",
        "approve",
        "stream.create",
      ],
    ],
    ["decisions", { what: "decisions" }, ["batch", "auto_reject", "reject", "approve"]],
    ["changes", { what: "changes" }, ["streamline", "stream.delete", "key.revoke", "stream.create"]],
    ["one action of a review", { what: "reject" }, ["reject"]],
    ["changes to streams", { what: "stream" }, ["stream.delete", "stream.create"]],
    ["a batch", { batch: "b" }, ["approve"]],
    [
      "a time",
      { since: new Date(Date.UTC(2026, 3, 1, 3)), until: new Date(Date.UTC(2026, 3, 1, 4)) },
      ["auto_reject", "streamline", "reject", "stream.delete"],
    ],
  ])("lists %s", async (_name, filter, expected) => {
    expect(await read(filter)).toEqual(expected);
  });

  it("lists what one member did", async () => {
    const own = ["batch", "streamline", "reject", "stream.delete", "approve", "stream.create"];
    expect(await read({ member_id: member.id })).toEqual(own);
  });

  it("hides e-mail addresses from those who may not list the members", async () => {
    const line = { actor: "Ann", source: "screen", action: "member.invite", subject: "x@private.example" };
    await db.audit_event.create({ data: line });
    const hasEmail = async (scopes: ("read" | "manage")[]) =>
      JSON.stringify(await readTeamLog({ scopes }, { limit: 50 })).includes("private.example");
    expect([await hasEmail(["read"]), await hasEmail(["read", "manage"])]).toEqual([false, true]);
  });
});
