import { describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { Log } from "#lib/review/log-schema.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makeKey, makeMember, makePending, makePost, makePosts, makeStream } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { sender } from "#tests/setup/operations.ts";
import { sessionHeaders } from "#tests/setup/request.ts";

const key = await makeKey({ role: "reviewer" });
const send = sender({ key });
const batch = (body: unknown, as = send) => as<BatchResult>("POST review/batch", body);
const undo = (id: string, as = send) => as<BatchResult>(`POST review/batch/${id}/undo`);
const states = async (ids: number[]) => {
  const posts = await db.post.findMany({
    where: { id: { in: ids } },
    include: { queue_entry: true },
    orderBy: { id: "asc" },
  });
  return posts.map(
    (post) =>
      post.queue_entry?.state ??
      (post.approved === null ? "unreviewed" : post.approved ? "approved" : "rejected"),
  );
};
const log = async (query = "limit=20") => (await send<Log>(`GET audit?${query}`)).json.items;

async function four() {
  const posts = [
    await makePost(),
    await makePost({ approved: false, reviewed_at: new Date() }),
    await makePending(),
    await makePending(),
  ];
  const ids = posts.map((post) => post.id);
  await db.queue_entry.update({
    where: { post_id: ids[3] as number },
    data: { state: "reserved", lease_id: crypto.randomUUID(), lease_expires_at: new Date(Date.now() + 3e5) },
  });
  return ids;
}

describe("POST /review/batch", () => {
  it("leaves posts that somebody reviewed since the caller saw them", async () => {
    const [first, second, third] = [await makePost(), await makePost(), await makePending()];
    const ids = [first.id, second.id, third.id];
    const shown = [
      { id: first.id, approved: null },
      { id: second.id, approved: null },
      { id: third.id, approved: true },
    ];
    await batch(
      { post_ids: [first.id], decision: "reject" },
      sender({ key: await makeKey({ role: "reviewer" }) }),
    );
    const { json } = await batch({ post_ids: ids, decision: "approve", shown });
    expect(json).toMatchObject({ changed: 1 });
    expect(json.unchanged.sort((a, b) => a.post_id - b.post_id)).toEqual([
      { post_id: first.id, detail: "Reviewed by somebody else since it was shown" },
      { post_id: third.id, detail: "Already approved" },
    ]);
    expect(await states(ids)).toEqual(["rejected", "pending", "pending"]);
    expect((await batch({ post_ids: ids, decision: "reject", shown: [{ id: "x" }] })).status).toBe(422);
  });

  it("rejects posts, lists unchanged ones, and writes one log line", async () => {
    const ids = await four();
    const { status, json } = await batch({
      post_ids: [...ids, ids[0], 999999999],
      decision: "reject",
      note: "off topic",
    });
    expect(status).toBe(200);
    expect(json.changed).toBe(2);
    expect(json.unchanged.sort((a, b) => a.post_id - b.post_id)).toEqual([
      { post_id: ids[1], detail: "Already rejected" },
      { post_id: ids[3], detail: "Post is in state 'reserved', expected 'pending'" },
      { post_id: 999999999, detail: "Post not found" },
    ]);
    expect(await states(ids)).toEqual(["rejected", "rejected", "rejected", "reserved"]);
    const lines = (await log()).filter((line) => line.batch?.id === json.batch_id);
    expect(lines).toMatchObject([
      {
        action: "batch",
        post_id: null,
        post: null,
        note: "off topic",
        batch: { decision: "reject", changed: 2 },
      },
    ]);
    const history = await db.post_event.findMany({ where: { post_id: { in: ids } } });
    expect(history.map((line) => line.action)).toEqual(["reject", "reject"]);
    expect((await log()).some((line) => ids.includes(line.post_id ?? 0))).toBe(false);
    expect((await db.post.findUniqueOrThrow({ where: { id: ids[0] as number } })).reviewer_notes).toBe(
      "off topic",
    );
  });

  it("has a line in the log that names its reason and its author, and leads to its posts", async () => {
    const ben = { author_username: "ben", instance: "good.example" };
    const ids = await makePosts(2, ben);
    const { json } = await batch({ post_ids: ids, decision: "reject", reject_reason: 2 });
    const lineOf = async () => (await log()).find(({ batch: of }) => of?.id === json.batch_id);
    expect(await lineOf()).toMatchObject({
      reject_reason_label: "Off topic",
      batch: { changed: 2, author_account: "@ben@good.example" },
    });
    const parts = await log(`batch=${json.batch_id}`);
    expect(parts.map(({ post_id }) => post_id).sort()).toEqual([...ids].sort());
    expect(parts[0]).toMatchObject({ action: "reject", reject_reason_label: "Off topic" });
    await db.post.update({ where: { id: ids[0] as number }, data: { author_account: "@amy@good.example" } });
    expect((await lineOf())?.batch?.author_account).toBeNull();
  });

  it("undo at a screen leases the posts to the member again, so that the desk can show them", async () => {
    const holder = async (id: number) =>
      (await db.review_lease.findUnique({ where: { post_id: id } }))?.holder ?? null;
    const member = await makeMember("reviewer");
    const screen = sender({ headers: await sessionHeaders(member) });
    const ids = await makePosts(2);
    const { json } = await batch({ decision: "reject", post_ids: ids }, screen);
    expect(await Promise.all(ids.map(holder))).toEqual([null, null]);
    await undo(json.batch_id, screen);
    expect(await Promise.all(ids.map(holder))).toEqual([`m${member.id}`, `m${member.id}`]);
    const byKey = await batch({ decision: "reject", post_ids: ids });
    await undo(byKey.json.batch_id);
    expect(await Promise.all(ids.map(holder))).toEqual([null, null]);
  });

  it("undo restores replaced notes, unless they were changed again, once", async () => {
    const ids = await makePosts(3, (i) => ({ reviewer_notes: ["mind the child", null, "old"][i] }));
    const { json } = await batch({ post_ids: ids, decision: "reject", note: "spam" });
    await db.post.update({ where: { id: ids[2] as number }, data: { reviewer_notes: "new" } });
    expect((await undo(json.batch_id)).json.changed).toBe(3);
    const posts = await db.post.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
    expect(posts.map((post) => post.reviewer_notes)).toEqual(["mind the child", null, "new"]);
    const again = await undo(json.batch_id);
    expect([again.status, again.json.detail]).toEqual([409, "This batch was undone already"]);
    expect((await undo(crypto.randomUUID())).json.detail).toBe("Batch not found");
    expect((await log())[0]).toMatchObject({
      action: "batch_undo",
      batch: { id: json.batch_id, changed: 3 },
    });
  });

  it("undo leaves posts that were decided or handed out since", async () => {
    const [later, taken] = [await makePost(), await makePost()];
    const approved = await batch({ post_ids: [later.id, taken.id], decision: "approve" });
    await batch({ post_ids: [later.id], decision: "reject" });
    await db.queue_entry.update({
      where: { post_id: taken.id },
      data: { state: "delivered", delivered_at: new Date() },
    });
    expect((await undo(approved.json.batch_id)).json).toMatchObject({
      changed: 0,
      unchanged: [
        { post_id: later.id, detail: "Decided again since" },
        { post_id: taken.id, detail: "Post is in state 'delivered', expected 'pending'" },
      ],
    });
  });

  it("accepts filter values as JSON or as text", async () => {
    const stream = await makeStream();
    await makePosts(30, (i) => ({ stream_id: stream.id, language: i % 2 ? "en" : "de" }));
    for (const [filter, decision] of [
      [{ stream_id: stream.id, reviewed: false, language: "de" }, "reject"],
      [{ stream_id: String(stream.id), reviewed: "false", order: "oldest" }, "approve"],
      [{ stream_id: stream.id, queue_status: "pending" }, "reject"],
    ])
      expect((await batch({ filter, decision })).json.changed).toBe(15);
    expect(await db.queue_entry.count({ where: { stream_id: stream.id } })).toBe(0);
    expect(await sumsOf("level", stream.id)).toEqual({ rejected: 30 });
  });

  it("skips posts that stop matching during the search", async () => {
    const stream = await makeStream();
    const [kept = 0, taken = 0] = await makePosts(2, { stream_id: stream.id });
    // Another transaction approves a post after the batch's search.
    let answer: ReturnType<typeof batch> | undefined;
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`UPDATE post SET approved = true, reviewed_at = now(), approved_at = now() WHERE id = ${taken}`;
      answer = batch({ filter: { stream_id: stream.id, reviewed: false }, decision: "reject" });
      await waitForBlockedStatement();
    }, LOCK_TIMEOUT);
    const { json } = (await answer) as Awaited<ReturnType<typeof batch>>;
    expect([json.changed, json.unchanged]).toEqual([1, []]);
    expect(await states([kept, taken])).toEqual(["rejected", "approved"]);
  });

  it("runs overlapping batches without a deadlock error", async () => {
    const ids = await makePosts(40);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        batch({ post_ids: n % 2 ? ids : [...ids].reverse(), decision: n % 3 ? "approve" : "reject" }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(await states(ids)).size).toBe(1);
  });

  it.each<[unknown, string]>([
    [{ decision: "reject" }, "post_ids"],
    [{ post_ids: [1], filter: { reviewed: false }, decision: "reject" }, "post_ids"],
    [{ filter: { order: "oldest", q: " " }, decision: "reject" }, "filter"],
    [{ filter: { steam_id: 3 }, decision: "reject" }, "filter.steam_id"],
    [{ filter: { reviewed: null }, decision: "reject" }, "filter.reviewed"],
  ])("refuses %#", async (body, path) => {
    const { status, json } = await batch(body);
    expect(status).toBe(422);
    expect(json.errors[0]?.path).toBe(path);
    expect(JSON.stringify(json.errors)).not.toMatch(/invalid|expected|received/i);
  });
});
