import { beforeAll, describe, expect, it } from "vitest";
import { POST as postApprove } from "#app/api/v1/posts/[id]/approve/route.ts";
import { POST as postReject } from "#app/api/v1/posts/[id]/reject/route.ts";
import { POST as postReview } from "#app/api/v1/posts/[id]/review/route.ts";
import { PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/base/db.ts";
import { rejectPosts } from "#lib/review/decide.ts";
import { outcomeOf, reviewStates, verdicts } from "#lib/review/state.ts";
import { makePost } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { entry, lines, member, patch, postIn, send, show, stored, makeCallers } from "./post-calls.ts";

beforeAll(makeCallers);

describe("PATCH /posts/{id}", () => {
  it("approves: the five documented fields, queued as of now, one line of history", async () => {
    const post = await makePost();
    const answer = await patch(post.id, { approved: true });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: post.id,
      post_id: post.uri,
      approved: true,
      reviewed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      queue_status: "pending",
      reviewer_notes: null,
      reject_reason: null,
      manual_spam_score: null,
      approved_at: answer.json.reviewed_at,
    });
    expect(Math.abs(Date.now() - Date.parse(answer.json.reviewed_at ?? ""))).toBeLessThan(5000);
    expect((await entry(post.id))?.approved_at.toISOString()).toBe(answer.json.approved_at);
    expect(await stored(post.id)).toMatchObject({ reviewed_by_member: member.id });
    expect(await lines(post.id)).toMatchObject([
      {
        action: "approve",
        from_state: "unreviewed",
        to_state: "pending",
        source: "api",
        member_id: member.id,
      },
    ]);
  });

  it("answers each state transition as documented and keeps refused and repeated ones unchanged", async () => {
    for (const state of reviewStates) {
      for (const approved of verdicts) {
        const outcome = outcomeOf(state, approved);
        const post = await postIn(state);
        const both = async () => ({ post: await stored(post.id), entry: await entry(post.id) });
        const before = await both();
        const answer = await patch(post.id, { approved, reviewer_notes: null });
        const after = await both();
        const pair = `${state} ${approved}`;
        expect([pair, answer.status]).toEqual([pair, outcome.kind === "refused" ? 409 : 200]);
        expect(after.entry === null, pair).toBe(after.post.approved !== true);
        if (outcome.kind !== "change") expect(after, pair).toEqual(before);
        expect(await lines(post.id)).toMatchObject(
          outcome.kind === "change" ? [{ from_state: state, to_state: outcome.to }] : [],
        );
      }
    }
    const { json } = await patch((await postIn("reserved")).id, { approved: null });
    expect(json.detail).toBe("Post is in state 'reserved', expected 'pending'");
  });

  it.each([true, null])(
    "an auto-rejected post set to %j and rejected again counts as rejected by a person",
    async (first) => {
      const post = await postIn("rejected");
      await patch(post.id, { approved: first });
      await patch(post.id, { approved: false });
      expect((await show(post.id)).json).toMatchObject({ approved: false, auto_reject_reason: null });
    },
  );

  it("{} changes nothing", async () => {
    const post = await postIn("pending");
    const before = await stored(post.id);
    expect((await patch(post.id, {})).status).toBe(200);
    expect(await stored(post.id)).toEqual(before);
    expect(await lines(post.id)).toHaveLength(0);
  });

  it("notes and scores are one history line and keep the review state", async () => {
    const post = await postIn("reserved");
    const both = await patch(post.id, { reviewer_notes: "look twice", manual_spam_score: 40 });
    expect(both.json).toMatchObject({
      reviewer_notes: "look twice",
      manual_spam_score: 40,
      queue_status: "reserved",
    });
    expect(both.json.reviewed_at).toBe("2026-01-02T03:04:05.678Z");
    await patch(post.id, { manual_spam_score: 0 });
    await patch(post.id, { manual_spam_score: 0, reviewer_notes: "look twice" });
    expect(await lines(post.id)).toMatchObject([
      { action: "note", note: "look twice", from_state: "reserved", to_state: "reserved" },
      { action: "score", note: "Spam score 40 → 0" },
    ]);
    expect((await patch(post.id, { reviewer_notes: null, manual_spam_score: null })).json).toMatchObject({
      reviewer_notes: null,
      manual_spam_score: null,
    });
  });

  it("a decision with a note is one line, and a refused decision stores no note", async () => {
    const post = await makePost();
    await patch(post.id, { approved: false, reviewer_notes: "spam", manual_spam_score: 100 });
    expect(await lines(post.id)).toMatchObject([{ action: "reject", note: "spam" }]);
    const reserved = await postIn("reserved");
    expect((await patch(reserved.id, { approved: false, reviewer_notes: "too late" })).status).toBe(409);
    expect((await stored(reserved.id)).reviewer_notes).toBeNull();
  });
});

describe("from the dashboard", () => {
  it("the history has the member and the source", async () => {
    const post = await makePost();
    const headers = await sessionHeaders(member);
    const params = { id: String(post.id) };
    const answer = await call(PATCH, {
      method: "PATCH",
      path: "/x",
      params,
      headers,
      body: { approved: true },
    });
    expect(answer.status).toBe(200);
    expect((await show(post.id)).json.history).toMatchObject([
      { actor: "Rita", source: "screen", action: "approve" },
    ]);
    expect(await stored(post.id)).toMatchObject({ reviewed_by: "Rita", reviewed_by_member: member.id });
  });
});

describe("approve, reject, review", () => {
  it("work with and without a body", async () => {
    const [a, b, c] = [await makePost(), await makePost(), await makePost()];
    expect((await send(postApprove, a.id)).json).toMatchObject({ approved: true, queue_status: "pending" });
    expect((await send(postApprove, a.id)).status).toBe(200);
    expect((await send(postReject, b.id, { reviewer_notes: "no" })).json).toMatchObject({
      approved: false,
      reviewer_notes: "no",
    });
    expect((await send(postReview, c.id, { approved: false, manual_spam_score: 7 })).json).toMatchObject({
      approved: false,
      manual_spam_score: 7,
    });
    expect((await send(postReview, c.id, { approved: null })).json).toMatchObject({ approved: null });
    expect(await lines(a.id)).toHaveLength(1);
  });

  it("review requires a decision", async () => {
    const post = await makePost();
    const answer = await send(postReview, post.id, { reviewer_notes: "hm" });
    expect([answer.status, answer.json.errors?.[0]?.path]).toEqual([422, "approved"]);
  });
});

describe("rejectPosts", () => {
  it("rejects the allowed states with the rule's name", async () => {
    const actor = { label: "Rita", member_id: member.id, key_id: null, source: "screen" as const };
    const reject = (ids: number[], only?: ["unreviewed"]) =>
      db.$transaction((tx) => rejectPosts(tx, actor, ids, { reason: "blocked_user", ...(only && { only }) }));
    const ids: number[] = [];
    for (const state of ["unreviewed", "pending", "reserved", "error", "rejected"] as const)
      ids.push((await postIn(state)).id);
    expect(await reject([...ids, 999999999])).toEqual([ids[0], ids[1], ids[3]]);
    expect(await lines(ids[0]!)).toMatchObject([
      { source: "filter", action: "auto_reject", note: "blocked_user", to_state: "rejected" },
    ]);
    expect(await stored(ids[1]!)).toMatchObject({ approved: false, auto_reject_reason: "blocked_user" });
    const [unreviewed, waiting] = [await postIn("unreviewed"), await postIn("pending")];
    expect(await reject([unreviewed.id, waiting.id], ["unreviewed"])).toEqual([unreviewed.id]);
  });
});
