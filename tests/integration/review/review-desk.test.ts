import { describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { getPostFile } from "#lib/review/deck.ts";
import { countDecidedToday, recentDecisions } from "#lib/review/log.ts";
import { makeKey, makeMember, makePost, makePosts } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";
import { sessionHeaders } from "#tests/setup/request.ts";

const admin = await makeKey();

async function decide(send: Send, post_id: number, decision: string, reason?: string) {
  const decisions = [{ id: crypto.randomUUID(), post_id, decision, ...(reason ? { reason } : {}) }];
  const answer = await send<{ results: { result: string }[] }>("POST review/decisions", { decisions });
  expect(answer.json.results[0]?.result).toBe("applied");
}

describe("marks of a card", () => {
  it("list blocked hashtags in the post's spelling, and a blocked author", async () => {
    const plain = await makePost({ hashtags: ["Cats"] });
    const marked = await makePost({ hashtags: ["Cats", "FollowBack", "café"], author_username: "spammer7" });
    await db.blocked_hashtag.createMany({
      data: [
        { hashtag: "followback", hashtag_folded: "followback" },
        { hashtag: "CAFE", hashtag_folded: "cafe" },
      ],
    });
    await db.blocked_user.create({ data: { account_identifier: "spammer", pattern_type: "prefix" } });
    const { json } = await sender({ key: admin })<Deck>("GET review/deck?count=20");
    const cardOf = (id: number) => json.items.find((card) => card.id === id);
    expect(cardOf(plain.id)).toMatchObject({ author_blocked: false, blocked_hashtags: [] });
    expect(cardOf(marked.id)).toMatchObject({
      author_blocked: true,
      blocked_hashtags: ["FollowBack", "café"],
    });
    const file = await getPostFile(marked.id);
    expect(file).toMatchObject({ author_blocked: true, blocked_hashtags: ["FollowBack", "café"], edits: [] });
  });
});

it("the decisions of today leave out filters, other members and earlier days", async () => {
  const [ann, ben] = [await makeMember("reviewer"), await makeMember("reviewer")];
  const today = new Date();
  const yesterday = new Date(today.getTime() - 24 * 3_600_000);
  const of = (id: number, at: Date) => ({ approved: false, reviewed_at: at, reviewed_by_member: id });
  await makePost(of(ann.id, today));
  await makePost(of(ann.id, today));
  await makePost({ ...of(ann.id, today), auto_reject_reason: "blocked_user" });
  await makePost(of(ann.id, yesterday));
  await makePost(of(ben.id, today));
  expect(await countDecidedToday(ann.id)).toBe(2);
});

describe("recentDecisions", () => {
  it("are the last per post, without undone ones and those of others", async () => {
    const ann = await makeMember("reviewer");
    const session = sender({ headers: await sessionHeaders(ann) });
    const [approved = 0, rejected = 0, undone = 0, skipped = 0, twice = 0, deleted = 0] = await makePosts(6);
    await decide(session, approved, "approve");
    await decide(session, rejected, "reject", "Spam");
    await decide(session, undone, "approve");
    await decide(session, undone, "undo");
    await decide(session, skipped, "skip");
    for (const decision of ["approve", "reject", "undo"]) await decide(session, twice, decision);
    await decide(session, deleted, "reject");
    await db.post.delete({ where: { id: deleted } });
    const mine = await recentDecisions(ann.id);
    expect(mine.map(({ post_id, decision, reason }) => [post_id, decision, reason])).toEqual([
      [skipped, "skip", null],
      [rejected, "reject", "Spam"],
      [approved, "approve", null],
    ]);
    expect(await recentDecisions((await makeMember("reviewer")).id)).toEqual([]);
    await db.$executeRaw`UPDATE post_event SET at = at - interval '1 day' WHERE post_id = ${rejected}`;
    const dated = await recentDecisions(ann.id);
    expect(dated.filter(({ is_today }) => is_today).map(({ post_id }) => post_id)).toEqual([
      skipped,
      approved,
    ]);
  });
});
