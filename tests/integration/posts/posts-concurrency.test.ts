import { expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

const keys = [await makeKey(), await makeKey()];

const patch = (id: number, approved: boolean | null, reviewer = 0) =>
  sender({ key: keys[reviewer] ?? "" })<{ reviewed_at: string }>(`PATCH posts/${id}`, { approved });

it("two parallel reviews: one history line per change, and the later one wins", async () => {
  for (let round = 0; round < 15; round++) {
    const post = await makePost();
    const answers = await Promise.all([patch(post.id, true, 0), patch(post.id, false, 1)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const lines = await db.post_event.findMany({ where: { post_id: post.id }, orderBy: { id: "asc" } });
    expect(lines).toHaveLength(2);
    expect(lines[0]?.from_state).toBe("unreviewed");
    expect(lines[1]?.from_state).toBe(lines[0]?.to_state);
    const stored = await db.post.findUniqueOrThrow({
      where: { id: post.id },
      include: { queue_entry: true },
    });
    expect(stored.approved).toBe(lines[1]?.to_state === "pending");
    expect(stored.queue_entry !== null).toBe(stored.approved);
    const times = answers.map((answer) => answer.json.reviewed_at).sort();
    expect(stored.reviewed_at?.toISOString()).toBe(times[1]);
  }
});

it("a post is never both rejected and handed out", async () => {
  for (let round = 0; round < 25; round++) {
    await db.post.deleteMany();
    const post = await makePending();
    const [taken, rejected] = await Promise.all([
      sender({ key: keys[0] ?? "" })("GET curated/next"),
      patch(post.id, false, 1),
    ]);
    const stored = await db.post.findUniqueOrThrow({
      where: { id: post.id },
      include: { queue_entry: true },
    });
    if (taken.status === 200) {
      expect(rejected.status).toBe(409);
      expect(rejected.json.detail).toBe("Post is in state 'reserved', expected 'pending'");
      expect([stored.approved, stored.queue_entry?.state]).toEqual([true, "reserved"]);
    } else {
      expect([taken.status, rejected.status]).toEqual([204, 200]);
      expect([stored.approved, stored.queue_entry]).toEqual([false, null]);
    }
  }
});
