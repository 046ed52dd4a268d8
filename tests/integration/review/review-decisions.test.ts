import { describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { countDecidedToday } from "#lib/review/log.ts";
import { makeKey, makeMember, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { sender } from "#tests/setup/operations.ts";
import { sessionHeaders } from "#tests/setup/request.ts";

const annMember = await makeMember("reviewer", { name: "Ann" });
const ann = await makeKey({ created_by: annMember.id, role: "reviewer" });
const bob = await makeKey({ role: "reviewer" });
const bobName = (await db.api_key.findFirstOrThrow({ orderBy: { id: "desc" } })).name;

interface Sent {
  id?: string;
  post_id: number;
  decision: string;
  [key: string]: unknown;
}
type Answer = { results: DecisionResult[] };

const post = (body: unknown, key = ann) => sender({ key })<Answer>("POST review/decisions", body);

async function send(decisions: Sent[], key = ann): Promise<DecisionResult[]> {
  const answer = await post(
    { decisions: decisions.map((each) => ({ id: crypto.randomUUID(), ...each })) },
    key,
  );
  expect(answer.status).toBe(200);
  return answer.json.results;
}

async function one(decision: string, post_id: number, key = ann, more: object = {}): Promise<DecisionResult> {
  return (await send([{ post_id, decision, ...more }], key))[0] as DecisionResult;
}

const lines = (id: number) => db.post_event.findMany({ where: { post_id: id }, orderBy: { id: "asc" } });
const patch = (id: number, approved: boolean | null, key: string) =>
  sender({ key })(`PATCH posts/${id}`, { approved });
const reserve = (id: number) =>
  db.queue_entry.update({
    where: { post_id: id },
    data: { state: "reserved", lease_id: crypto.randomUUID(), lease_expires_at: new Date(Date.now() + 3e5) },
  });

describe("POST /review/decisions", () => {
  it("applies in order and returns each post's state", async () => {
    const [a, b, c] = [await makePost(), await makePost(), await makePost()];
    const results = await send([
      { post_id: a.id, decision: "approve", decided_at: "2026-05-04T12:00:00Z" },
      { post_id: b.id, decision: "reject", reason: "spam", note: "third time" },
      { post_id: c.id, decision: "skip", reason: "not sure" },
      { post_id: 999999999, decision: "approve" },
    ]);
    expect(results.map((each) => each.result)).toEqual(["applied", "applied", "applied", "not_found"]);
    expect(results.map((each) => each.post?.queue_status)).toEqual(["pending", null, null, undefined]);
    expect(results[1]?.post).toMatchObject({ approved: false, reviewer_notes: "third time" });
    expect(results[3]).toMatchObject({ detail: "Post not found", post: null });
    expect(await lines(a.id)).toMatchObject([
      { action: "approve", source: "api", details: { decided_at: "2026-05-04T12:00:00Z" } },
    ]);
    expect(await lines(b.id)).toMatchObject([
      { action: "reject", note: "spam: third time", details: { reason: "spam" } },
    ]);
    expect(await lines(c.id)).toMatchObject([
      { action: "skip", note: "not sure", from_state: "unreviewed", to_state: "unreviewed" },
    ]);
  });

  it("applies each id once, whatever the order, request or member", async () => {
    const target = await makePost();
    const decision = { id: crypto.randomUUID(), post_id: target.id, decision: "approve" };
    const results = await send([decision, decision]);
    expect(results.map((each) => each.result)).toEqual(["applied", "repeated"]);
    await patch(target.id, null, ann);
    expect((await send([{ ...decision, decision: "reject" }], bob))[0]).toMatchObject({
      result: "repeated",
      post: { approved: null },
    });
    expect((await lines(target.id)).map((line) => line.action)).toEqual(["approve", "unreview"]);
  });

  it("repeats the result of a conflict or an unknown post", async () => {
    const target = await makePending();
    await reserve(target.id);
    const decision = { id: crypto.randomUUID(), post_id: target.id, decision: "reject" };
    const missing = { id: crypto.randomUUID(), post_id: 999999999, decision: "reject" };
    const first = await send([decision, missing]);
    await db.queue_entry.update({
      where: { post_id: target.id },
      data: { state: "pending", lease_id: null, lease_expires_at: null },
    });
    const second = await send([decision, missing]);
    for (const results of [first, second]) {
      expect(results).toMatchObject([
        { result: "conflict", detail: "Post is in state 'reserved', expected 'pending'" },
        { result: "not_found", detail: "Post not found" },
      ]);
    }
    expect(await lines(target.id)).toHaveLength(0);
  });

  it("applies ten parallel copies of a request once", async () => {
    const targets = [await makePost(), await makePost(), await makePost()];
    const body = {
      decisions: targets.map((each) => ({ id: crypto.randomUUID(), post_id: each.id, decision: "approve" })),
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    const results = answers.flatMap((answer) => answer.json.results.map((each) => each.result));
    expect(results.filter((result) => result === "applied")).toHaveLength(3);
    expect(results.filter((result) => result === "repeated")).toHaveLength(27);
    for (const target of targets) expect(await lines(target.id)).toHaveLength(1);
  });

  it("does not overwrite another reviewer's decision", async () => {
    const target = await makePost();
    await patch(target.id, true, bob);
    for (const decision of ["reject", "approve", "skip"]) {
      expect(await one(decision, target.id)).toMatchObject({
        result: "conflict",
        detail: `Already approved by ${bobName}`,
        post: { approved: true },
      });
    }
    expect(await lines(target.id)).toHaveLength(1);
  });

  it("allows changing one's own decision until the post is handed out", async () => {
    const target = await makePost();
    expect((await one("approve", target.id)).result).toBe("applied");
    expect(await one("reject", target.id)).toMatchObject({
      result: "applied",
      post: { approved: false, queue_status: null },
    });
    expect((await one("approve", target.id)).post?.queue_status).toBe("pending");
    await reserve(target.id);
    expect(await one("reject", target.id)).toMatchObject({
      result: "conflict",
      post: { approved: true, queue_status: "reserved" },
    });
    expect(await one("approve", target.id)).toMatchObject({ result: "applied" });
  });

  it("lets anyone approve an auto-rejected post", async () => {
    const target = await makePost({
      approved: false,
      reviewed_at: new Date(),
      auto_reject_reason: "bot",
      reviewed_by: "Sluice",
    });
    expect(await one("approve", target.id)).toMatchObject({
      result: "applied",
      post: { approved: true, auto_reject_reason: "bot" },
    });
    expect(await one("undo", target.id)).toMatchObject({
      result: "applied",
      post: { approved: false, auto_reject_reason: "bot" },
    });
  });
});

describe("undo", () => {
  it.each(["approve", "reject", "skip"])(
    "of %s gives back the note it wrote over, and no other",
    async (decision) => {
      const target = await makePost({ reviewer_notes: "seen twice" });
      const note = async () => (await db.post.findUniqueOrThrow({ where: { id: target.id } })).reviewer_notes;
      await one(decision, target.id, ann, { note: "third time" });
      expect(await note()).toBe("third time");
      await one("undo", target.id);
      expect(await note()).toBe("seen twice");
      await one(decision, target.id, ann, { note: "third time" });
      await db.post.update({ where: { id: target.id }, data: { reviewer_notes: "by somebody else" } });
      await one("undo", target.id);
      expect(await note()).toBe("by somebody else");
      // Removes it from the deck for other tests.
      await one("reject", target.id);
    },
  );

  it("reverts a decision and leases the card again", async () => {
    const target = await makePost({ created_at: new Date(0) });
    await one("approve", target.id);
    expect(await one("undo", target.id)).toMatchObject({
      result: "applied",
      post: { approved: null, queue_status: null, reviewed_at: null },
    });
    const deck = await sender({ key: ann })<Deck>("GET review/deck?count=1&order=newest");
    expect(deck.json.items[0]?.id).toBe(target.id);
    expect((await lines(target.id)).map((line) => line.action)).toEqual(["approve", "unreview"]);
    expect(await one("undo", target.id)).toMatchObject({
      result: "conflict",
      detail: "There is no decision to undo",
    });
  });

  it("reverts decisions one by one", async () => {
    const target = await makePost();
    await one("skip", target.id);
    await one("approve", target.id);
    await one("reject", target.id);
    expect((await one("undo", target.id)).post).toMatchObject({ approved: true, queue_status: "pending" });
    expect((await one("undo", target.id)).post).toMatchObject({ approved: null });
    expect((await one("undo", target.id)).result).toBe("applied");
    expect(await db.review_lease.findMany({ where: { post_id: target.id } })).toMatchObject([
      { skipped: {} },
    ]);
    expect((await one("undo", target.id)).result).toBe("conflict");
    expect((await lines(target.id)).map((line) => line.action)).toEqual([
      "skip",
      "approve",
      "reject",
      "approve",
      "unreview",
      "unskip",
    ]);
  });

  it("does not reach an earlier decision when the named one was undone meanwhile", async () => {
    const target = await makePost();
    await one("approve", target.id);
    const undoes = crypto.randomUUID();
    await one("reject", target.id, ann, { id: undoes });
    const both = await Promise.all([1, 2].map(() => one("undo", target.id, ann, { undoes })));
    expect(both.map(({ result }) => result).sort()).toEqual(["applied", "conflict"]);
    expect(both.find(({ result }) => result === "conflict")).toMatchObject({
      detail: "The decision was changed or undone meanwhile",
      post: { approved: true, queue_status: "pending" },
    });
  });

  it("is refused once the post is handed out", async () => {
    const target = await makePost();
    await one("approve", target.id);
    await reserve(target.id);
    expect(await one("undo", target.id)).toMatchObject({
      result: "conflict",
      detail: "Post is in state 'reserved', expected 'pending'",
      post: { queue_status: "reserved" },
    });
  });

  it("applies only to one's own last decision", async () => {
    const target = await makePost();
    await one("approve", target.id);
    expect((await one("undo", target.id, bob)).result).toBe("conflict");
    await patch(target.id, false, bob);
    expect(await one("undo", target.id)).toMatchObject({
      result: "conflict",
      detail: `Already rejected by ${bobName}`,
    });
    await patch(target.id, null, bob);
    expect(await one("undo", target.id)).toMatchObject({ result: "conflict", detail: "Decided again since" });
  });
});

describe("two tabs of a member", () => {
  const open = async () => {
    const member = await makeMember("reviewer");
    const tab = sender({ headers: await sessionHeaders(member) });
    const stream = await makeStream();
    const target = await makePost({ stream_id: stream.id });
    const change = (approved: boolean) => tab(`PATCH posts/${target.id}`, { approved, version: 1 });
    const decide = async (decision: Partial<Sent>) => {
      const decisions = [{ id: crypto.randomUUID(), post_id: target.id, ...decision }];
      return (await tab<Answer>("POST review/decisions", { decisions })).json.results[0];
    };
    /** Verdict of the post, as the rows, the figures and the member's number of today count it. */
    const counted = async () => {
      const { approved = 0, rejected = 0 } = await sumsOf("total", stream.id);
      const { unreviewed = 0, ...levels } = await sumsOf("level", stream.id);
      return { approved, rejected, unreviewed, levels, today: await countDecidedToday(member.id) };
    };
    return { target, change, decide, counted };
  };
  const approvedOnce = {
    approved: 1,
    rejected: 0,
    unreviewed: 0,
    levels: { approved: 1, pending: 1 },
    today: 1,
  };
  const rejectedOnce = { approved: 0, rejected: 1, unreviewed: 0, levels: { rejected: 1 }, today: 1 };
  const undecided = { approved: 0, rejected: 0, unreviewed: 1, levels: {}, today: 0 };

  it("change each other's decision, which counts once, and undo takes back one after the other", async () => {
    const { target, change, decide, counted } = await open();
    for (const [step, expected] of [
      [() => change(true), approvedOnce],
      [() => change(false), rejectedOnce],
      [() => decide({ decision: "undo" }), approvedOnce],
      [() => decide({ decision: "undo" }), undecided],
    ] as const) {
      await step();
      expect(await counted()).toEqual(expected);
    }
    const actions = (await lines(target.id)).map(({ action }) => action);
    expect(actions).toEqual(["approve", "reject", "approve", "unreview"]);
  });

  it("get a conflict for the undo of a decision that the other tab has changed", async () => {
    const { change, decide, counted } = await open();
    const undoes = crypto.randomUUID();
    await decide({ id: undoes, decision: "approve", version: 1 });
    await change(false);
    expect(await decide({ decision: "undo", undoes })).toMatchObject({
      result: "conflict",
      detail: "The decision was changed or undone meanwhile",
    });
    expect(await counted()).toEqual(rejectedOnce);
  });
});
