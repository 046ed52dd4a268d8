import { beforeEach, describe, expect, it } from "vitest";
import { HEAD } from "#app/api/v1/review/deck/route.ts";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db } from "#lib/base/db.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { getStats } from "#lib/stats/get-stats.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { makeKey, makeMember, makePending, makePost, makePosts, makeStream } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";
import { call } from "#tests/setup/request.ts";

const ann = await makeKey({ role: "reviewer" });
const bob = await makeKey({ role: "reviewer" });

const deck = (query = "", key = ann) => sender({ key })<Deck>(`GET review/deck?${query}`);
const ids = async (query = "", key = ann) => (await deck(query, key)).json.items.map((card) => card.id);

const release = () => sender({ key: ann })("DELETE review/deck");

async function decide(key: string, post_id: number, decision: string) {
  const decisions = [{ id: crypto.randomUUID(), post_id, decision }];
  const send = sender({ key });
  const { json } = await send<{ results: { result: string }[] }>("POST review/decisions", { decisions });
  return json.results[0]?.result;
}

/** Expires all leases, because tests cannot set the clock of the database. */
const endLeases = () => db.$executeRaw`UPDATE review_lease SET expires_at = now() - interval '1 second'`;

const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 0, n));
let all: number[];

beforeEach(async () => {
  await db.post.deleteMany();
  all = await makePosts(6, (i) => ({
    created_at: minute(i),
    ai_score: [0.95, 0.5, 0.1, 0.55, 0, 0.3][i],
    author_username: `writer${i}`,
  }));
});
const id = (i: number) => all[i]!;

describe("GET /review/deck", () => {
  it("leases unreviewed posts for ten minutes, oldest first, with all fields for a decision", async () => {
    await makePending();
    await makePost({ approved: false, reviewed_at: new Date() });
    const { json } = await deck("count=2");
    expect(json.items.map((card) => card.id)).toEqual([id(0), id(1)]);
    expect([json.remaining, json.remaining_is_more]).toEqual([6, false]);
    const seconds = (Date.parse(json.items[0]?.lease_expires_at ?? "") - Date.now()) / 1000;
    expect(Math.abs(seconds - 600)).toBeLessThan(5);
    expect(json.items[0]).toMatchObject({
      author_history: { approved: 0, rejected: 0 },
      author_locked: false,
      edit: null,
      poll: null,
    });
  });

  it("gives as many cards more as the caller has unsent decisions, and none when it only counts", async () => {
    await deck("count=2");
    expect(await ids("count=2&unsent=3")).toEqual(all.slice(0, 5));
    expect(await ids("count=0&unsent=3")).toEqual([]);
    expect(
      await Promise.all(
        ["count=21", "unsent=81", "unsent=-1"].map(async (query) => (await deck(query)).status),
      ),
    ).toEqual([422, 422, 422]);
  });

  it("never gives two reviewers the same post and counts the rest for each", async () => {
    const first = await deck("count=2", ann);
    const second = await deck("count=3", bob);
    expect(second.json.items.map((card) => card.id)).toEqual([id(2), id(3), id(4)]);
    expect([first.json.remaining, second.json.remaining]).toEqual([6, 4]);
    expect((await deck("count=20", ann)).json.remaining).toBe(3);
    expect(await ids("count=20", ann)).toEqual([id(0), id(1), id(5)]);
  });

  it.each(["", "has_media=false", "q=heron"])(
    "counts the same posts for desk, lists and Home, and says how many others hold: ?%s",
    async (filter) => {
      await db.$executeRaw`UPDATE post SET search = array_to_tsvector(ARRAY['heron'])`;
      await deck("count=2", bob);
      const total = await sender({ key: ann })<PostList>(`GET posts?reviewed=false&${filter}`);
      const { items: none, ...left } = (await deck(`count=0&${filter}`, ann)).json;
      const counts = { remaining: 4, remaining_is_more: false, leased_to_others: 2 };
      expect([none, left]).toEqual([[], counts]);
      expect(total.json.total).toBe(6);
      expect(await db.review_lease.count()).toBe(2);
      const { items: _items, ...shown } = (await deck(`count=1&${filter}`, ann)).json;
      expect(shown).toEqual(counts);
      expect((await getStats()).unreviewed_posts).toBe(6);
    },
  );

  it("returns one's own cards first after a reload and renews their leases", async () => {
    await ids("count=3&order=newest");
    await db.$executeRaw`UPDATE review_lease SET expires_at = expires_at - interval '9 minutes'`;
    const again = await deck("count=4");
    expect(again.json.items.map((card) => card.id)).toEqual([id(3), id(4), id(5), id(0)]);
    for (const card of again.json.items)
      expect(Date.parse(card.lease_expires_at) - Date.now()).toBeGreaterThan(590_000);
  });

  it("gives cards with expired leases to another reviewer", async () => {
    await ids("count=6");
    expect(await ids("count=6", bob)).toEqual([]);
    await endLeases();
    expect(await ids("count=4", bob)).toEqual([id(0), id(1), id(2), id(3)]);
    // Expired cards return to their first holder when nobody took them.
    expect(await ids("count=6", ann)).toEqual([id(4), id(5)]);
  });

  it("DELETE releases cards at once", async () => {
    await ids("count=6");
    expect((await release()).status).toBe(204);
    expect(await ids("count=1", bob)).toEqual([id(0)]);
    expect((await release()).status).toBe(204);
  });

  it.each([
    ["oldest", [0, 1, 2, 3, 4, 5]],
    ["newest", [5, 4, 3, 2, 1, 0]],
    ["ai_unsure", [1, 3, 5, 2, 0, 4]],
  ])("order=%s", async (order, expected) => {
    expect(await ids(`count=6&order=${order}`)).toEqual(expected.map(id));
  });

  it("order=author groups by author", async () => {
    const twin = await makePost({ created_at: minute(9), author_username: "writer2" });
    const order = await ids("count=20&order=author");
    expect(Math.abs(order.indexOf(twin.id) - order.indexOf(id(2)))).toBe(1);
  });

  it("accepts the filters of GET /posts, also for one's own cards", async () => {
    const stream = await makeStream();
    await db.post.update({ where: { id: id(4) }, data: { stream_id: stream.id, language: "ja" } });
    await ids("count=2");
    const filtered = await deck(`stream_id=${stream.id}`);
    expect(filtered.json.items.map((card) => card.id)).toEqual([id(4)]);
    expect(filtered.json.remaining).toBe(1);
    expect((await deck("language=ja&reviewed=false")).json.remaining).toBe(1);
    const none = { items: [], remaining: 0, remaining_is_more: false, leased_to_others: 0 };
    for (const query of [
      ...["approved=true", "approved=false", "reviewed=true", "queue_status=pending", "happened=reviewed"],
      ...["auto_rejected=true", "error_reason=gone", "reviewer=0"],
    ])
      expect((await deck(query)).json, query).toEqual(none);
  });

  it("orders skipped posts last for this reviewer", async () => {
    await ids("count=2");
    expect(await decide(ann, id(0), "skip")).toBe("applied");
    expect(await decide(ann, id(1), "skip")).toBe("applied");
    await release();
    expect(await ids("count=20")).toEqual([id(2), id(3), id(4), id(5), id(0), id(1)]);
    await release();
    expect(await ids("count=2", bob)).toEqual([id(0), id(1)]);
  });

  it("leaves out cards decided meanwhile", async () => {
    await ids("count=3");
    await sender({ key: bob })(`PATCH posts/${id(1)}`, { approved: true });
    expect(await ids("count=2")).toEqual([id(0), id(2)]);
    expect(await db.review_lease.count({ where: { post_id: id(1) } })).toBe(0);
  });

  it("does not lease a post decided at the same time", async () => {
    const expires_at = new Date(Date.now() + 60_000);
    for (const [i, key] of [ann, bob].entries()) {
      const holder = `k${(await db.api_key.findFirstOrThrow({ where: { key_hash: hashKey(key) } })).id}`;
      await db.post.update({ where: { id: id(i) }, data: { approved: true, reviewed_at: minute(9) } });
      await db.review_lease.create({ data: { post_id: id(i), holder, expires_at } });
    }
    const { json } = await deck("count=1");
    expect([json.items.map((card) => card.id), json.remaining]).toEqual([[id(2)], 4]);
  });

  it("a skip and its undo keep another reviewer's lease", async () => {
    const [first] = await ids("count=1");
    await endLeases();
    expect(await ids("count=1", bob)).toEqual([first]);
    expect(await decide(ann, id(0), "skip")).toBe("applied");
    expect(await decide(ann, id(0), "undo")).toBe("applied");
    expect(await ids("count=1")).toEqual([id(1)]);
    expect(await ids("count=1", bob)).toEqual([first]);
  });

  it("returns the author's history, and the last edit or all since the approval", async () => {
    const author_username = "writer0";
    await makePost({ author_username, approved: false, reviewed_at: minute(50), reviewer_notes: "spam" });
    await makePost({ author_username, approved: true, reviewed_at: minute(51), approved_at: minute(51) });
    await db.post.update({ where: { id: id(0) }, data: { edited_at: minute(20) } });
    const details = { before: { content: "<p>a</p>" }, after: { content: "<p>b</p>" } };
    const edit = { post_id: id(0), actor: "Sluice", source: "service", action: "edit" };
    for (const change of [{ before: { content: "" }, after: details.before }, details])
      await db.post_event.create({ data: { ...edit, details: change } });
    const card = (await deck("count=1")).json.items[0];
    expect(card?.author_history).toMatchObject({ approved: 1, rejected: 1 });
    expect(card?.edit).toMatchObject(details);
    await db.post_event.updateMany({
      where: { post_id: id(0), action: "edit", details: { path: ["after"], equals: details.before } },
      data: { from_state: "pending" },
    });
    const { edit: whole } = (await deck("count=1")).json.items[0] as { edit: unknown };
    expect(whole).toMatchObject({ before: { content: "" }, after: details.after });
  });

  it("counts the other waiting posts of the author, without decided ones and those of other reviewers", async () => {
    await makePosts(4, { author_username: "writer0" });
    await makePost({ author_username: "writer0", approved: false, reviewed_at: new Date() });
    const waiting = async (writer: number, count: number, key = ann) => {
      const { json } = await deck(`author=@writer${writer}@mastodon.example&count=${count}`, key);
      return json.items.map((card) => card.author_waiting);
    };
    expect(await waiting(0, 1)).toEqual([4]);
    expect(await waiting(1, 1)).toEqual([0]);
    // One is leased to Ann now.
    expect(await waiting(0, 2, bob)).toEqual([3, 3]);
    expect(await waiting(0, 1)).toEqual([2]);
  });

  it("session and key of a member have separate leases", async () => {
    const member = await makeMember("reviewer");
    const one = await makeKey({ created_by: member.id, role: "reviewer" });
    const two = await makeKey({ created_by: member.id, role: "reviewer" });
    expect(await ids("count=1", one)).toEqual([id(0)]);
    expect(await ids("count=1", two)).toEqual([id(1)]);
  });

  it("leases nothing for HEAD", async () => {
    const head = await call(HEAD, { method: "HEAD", path: "/api/v1/review/deck", key: ann });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(await db.review_lease.count()).toBe(0);
  });

  it("gives each post to one of 32 parallel reviewers, and cards to all of them", async () => {
    await db.post.deleteMany();
    await makePosts(170);
    const keys = await Promise.all(Array.from({ length: 32 }, () => makeKey({ role: "reviewer" })));
    const decks = await Promise.all(keys.map((key) => ids("count=5", key)));
    for (const cards of decks) expect(cards).toHaveLength(5);
    expect(new Set(decks.flat()).size).toBe(160);
    expect(await db.review_lease.count()).toBe(160);
  });

  it("gives parallel requests of one reviewer no card of another", async () => {
    await db.post.deleteMany();
    await makePosts(40);
    const keys = await Promise.all(Array.from({ length: 8 }, () => makeKey({ role: "reviewer" })));
    const decks = await Promise.all([...keys, ...keys].map((key) => ids("count=5", key)));
    const reviewerOf = new Map<number, number>();
    decks.forEach((cards, call) => {
      const reviewer = call % keys.length;
      for (const card of cards)
        expect(reviewerOf.set(card, reviewerOf.get(card) ?? reviewer).get(card)).toBe(reviewer);
    });
    expect(reviewerOf.size).toBe(40);
  });
});
