import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { ShownPost } from "#lib/review/shown-post-schema.ts";
import { reviewStates } from "#lib/review/state.ts";
import { makePost } from "#tests/setup/factories.ts";
import { entry, lines, patch, postIn, remove, show, makeCallers } from "./post-calls.ts";

beforeAll(makeCallers);

describe("GET /posts/{id}", () => {
  it("returns the post with its history, oldest first", async () => {
    const post = await makePost({ poll: { options: [] }, author_locked: true });
    await patch(post.id, { approved: true });
    await patch(post.id, { approved: false, reviewer_notes: "changed my mind" });
    const { json } = await show(post.id);
    ShownPost.strict().parse(json);
    expect(json).toMatchObject({
      id: post.id,
      author_locked: true,
      poll: { options: [] },
      emojis: [],
      quote: null,
    });
    const by = { source: "api", actor: expect.stringMatching(/^key/) as string, reject_reason_label: null };
    expect(json.history).toMatchObject([
      { ...by, action: "approve", from: "unreviewed", to: "pending", note: null },
      { ...by, action: "reject", from: "pending", to: "rejected", note: "changed my mind" },
    ]);
  });

  it("returns the bare user name even when the server added a host", async () => {
    const post = await makePost({ author_username: "kim@zoo.example", author_account: "@kim@zoo.example" });
    expect((await show(post.id)).json).toMatchObject({ author_username: "kim", instance: "zoo.example" });
  });
});

describe("DELETE /posts/{id}", () => {
  it("works in any state, leaves a tombstone and the history", async () => {
    for (const state of reviewStates) {
      const post = await postIn(state);
      expect((await remove(post.id)).status).toBe(204);
      expect(await db.post.findUnique({ where: { id: post.id } })).toBeNull();
      expect(await entry(post.id)).toBeNull();
      const [tomb] = await db.$queryRaw<
        { reason: string }[]
      >`SELECT reason FROM tombstone WHERE uri_hmac = uri_hmac(${post.uri})`;
      expect(tomb).toEqual({ reason: "deleted" });
      expect(await lines(post.id)).toMatchObject([
        { action: "delete", from_state: state, to_state: "deleted" },
      ]);
      expect((await remove(post.id)).status).toBe(404);
    }
    expect(await db.audit_event.count({ where: { action: "post.delete" } })).toBe(reviewStates.length);
  });

  it("works for a post that was stored again while it was being deleted", async () => {
    const post = await makePost();
    expect((await remove(post.id)).status).toBe(204);
    // A concurrent fetch may have read the tombstones before this one existed.
    const again = await makePost({ uri: post.uri });
    expect((await remove(again.id)).status).toBe(204);
    expect(await db.post.count({ where: { uri: post.uri } })).toBe(0);
  });
});
