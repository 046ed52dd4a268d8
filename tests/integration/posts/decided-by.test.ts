import { beforeAll, describe, expect, it } from "vitest";
import { GET as getPost, PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { POST as postDecisions } from "#app/api/v1/review/decisions/route.ts";
import { GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { GET as getLog } from "#app/api/v1/review/log/route.ts";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { byReviewer, decisionList, decisionsBy } from "#lib/client/figure-lists.ts";
import { db } from "#lib/db.ts";
import { filterNames } from "#lib/desk/post-filters.ts";
import type { PostDetail, PostList } from "#lib/posts/schema.ts";
import type { ReviewLog } from "#lib/review/log-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { makeKey, makePost, makeStream, picture } from "#tests/setup/factories.ts";
import { makeCaller, type Caller } from "#tests/setup/caller.ts";
import { call } from "#tests/setup/request.ts";

const ann = await makeCaller();
const bob = await makeCaller();
const key = await makeKey({ created_by: ann.member.id });
const keyName = (await db.api_key.findFirstOrThrow({ where: { created_by: ann.member.id } })).name;

const review = (id: number, approved: boolean | null, by: Caller = ann, more: object = {}) =>
  by.post(PATCH, `posts/${id}`, { approved, ...more }, { id: String(id) }, "PATCH");
const list = async (query: string) =>
  (await ann.get<PostList>(getPosts, `posts?limit=100&${query}`)).json.items.map(({ id }) => id);
const behind = (href: string | null) => list(href?.split("?")[1] ?? "none=1");
const decidedBy = async (by: Caller) => new Set(await list(`reviewer=${by.member.id}`));
const historyOf = async (id: number) =>
  (await ann.post<PostDetail>(getPost, `posts/${id}`, undefined, { id: String(id) }, "GET")).json.history;

describe("the filter by the member who decided", () => {
  it("loses an undone decision, and gets back the one that the undo restores", async () => {
    const { id } = await makePost();
    await review(id, true);
    expect(await decidedBy(ann)).toContain(id);
    await review(id, false, bob);
    expect(await decidedBy(ann)).not.toContain(id);
    expect(await decidedBy(bob)).toContain(id);
    const undo = { id: crypto.randomUUID(), post_id: id, decision: "undo" };
    await bob.post(postDecisions, "review/decisions", { decisions: [undo] });
    expect(await decidedBy(bob)).not.toContain(id);
    expect(await decidedBy(ann)).toContain(id);
    await review(id, null);
    expect(await decidedBy(ann)).not.toContain(id);
  });

  it("keeps the decisions of a disabled member", async () => {
    const { id } = await makePost();
    const eve = await makeCaller();
    await review(id, false, eve);
    await db.member.update({ where: { id: eve.member.id }, data: { disabled_at: new Date() } });
    expect([...(await decidedBy(eve))]).toEqual([id]);
  });

  it("leaves out decisions of filters, which have no member", async () => {
    const { id } = await makePost({ approved: false, reviewed_at: new Date(), auto_reject_reason: "bot" });
    expect(await list(`auto_rejected=true`)).toContain(id);
    expect(await list("reviewer=0")).not.toContain(id);
  });

  it("has the decisions of a member's keys, and with the name of a key only those", async () => {
    const [own, through] = [await makePost(), await makePost()];
    await review(own.id, true);
    await call(PATCH, {
      method: "PATCH",
      path: "/x",
      params: { id: String(through.id) },
      key,
      body: { approved: true },
    });
    const all = await decidedBy(ann);
    expect([all.has(own.id), all.has(through.id)]).toEqual([true, true]);
    expect(await list(`reviewer=${ann.member.id}&reviewed_by=${keyName}`)).toEqual([through.id]);
    const [line] = await historyOf(through.id);
    expect(line).toMatchObject({ actor: keyName, member_id: ann.member.id, source: "api" });
    expect(line && (await behind(decisionsBy(line)))).toEqual([through.id]);
  });

  it("finds nothing for an unknown member and refuses what is no id", async () => {
    expect(await list("reviewer=2147483647")).toEqual([]);
    for (const wrong of ["x", "-1", "1.5", "2147483648"])
      expect((await ann.get(getPosts, `posts?reviewer=${wrong}`)).status, wrong).toBe(422);
  });

  it("finds no card of a deck", async () => {
    await makePost();
    expect((await ann.get(getDeck, `review/deck?reviewer=${ann.member.id}`)).json).toMatchObject({
      items: [],
      remaining: 0,
    });
  });
});

describe("the filter by member beside each other filter", () => {
  let stream: number;
  beforeAll(async () => {
    stream = (await makeStream()).id;
    for (const by of [ann, bob]) {
      const special = { stream_id: stream, language: "fi", instance: "pairs.example", media: [picture()] };
      const { id } = await makePost({
        ...special,
        author_username: `pair${by.member.id}`,
        ai_would_reject: true,
      });
      await db.sighting.createMany({ data: [{ stream_id: stream, post_id: id }], skipDuplicates: true });
      const { id: rejected } = await makePost({ plain_text: "weir", vision_category: "explicit" });
      await review(id, true, by);
      await review(rejected, false, by, { reject_reason: 1 });
    }
  });

  const values: Record<string, () => string[]> = {
    q: () => ["post", "zebra"],
    stream_id: () => [String(stream)],
    seen_in: () => [String(stream)],
    approved: () => ["true", "false"],
    reviewed: () => ["true", "false"],
    queue_status: () => ["pending", "waiting", "delivered"],
    ai_would_reject: () => ["true", "false"],
    ai_result: () => ["unsure", "not_checked"],
    has_media: () => ["true", "false"],
    vision_category: () => ["explicit"],
    language: () => ["fi"],
    author: () => [`pair${ann.member.id}`, `@pair${bob.member.id}@pairs.example`],
    instance: () => ["pairs.example"],
    happened: () => ["created", "fetched", "reviewed", "delivered", "errored"],
    since: () => ["2020-01-01", "2100-01-01"],
    until: () => ["2020-01-01", "2100-01-01"],
    held_by: () => ["any"],
    reviewer: () => [String(bob.member.id)],
    reviewed_by: () => [keyName],
    auto_rejected: () => ["true", "false"],
    auto_reject_reason: () => ["bot"],
    reject_reason: () => ["1", "0"],
    error_reason: () => ["gone"],
    waited_for_review: () => ["0", "100000"],
    waited_for_delivery: () => ["0"],
    warned_by: () => ["learner"],
  };

  it.each(filterNames)("%s: finds the posts that both find alone", async (name) => {
    for (const value of values[name]?.() ?? []) {
      const other = `${name}=${encodeURIComponent(value)}`;
      const [mine, found] = [await decidedBy(ann), await list(other)];
      const both = await list(`reviewer=${ann.member.id}&${other}`);
      // The last of repeated values counts.
      if (name === "reviewer") expect(new Set(both)).toEqual(await decidedBy(bob));
      else expect(both, other).toEqual(found.filter((id) => mine.has(id)));
    }
    expect(values[name]?.().length, name).toBeGreaterThan(0);
  });
});

describe("names of reviewers", () => {
  it("lead from figures and log lines to the posts that these count", async () => {
    const { json } = await ann.get<Overview>(getOverview, "stats/overview");
    expect(json.reviewers.length).toBeGreaterThan(2);
    for (const line of json.reviewers)
      expect(await behind(decisionList(byReviewer(line)))).toHaveLength(line.decided);
    const log = (await ann.get<ReviewLog>(getLog, `review/log?limit=1000`)).json.items;
    let standing = 0;
    for (const line of log.filter(({ action }) => action === "approve" || action === "reject")) {
      const [post] = await db.post.findMany({ where: { id: line.post_id ?? 0 } });
      const stands = post?.reviewed_by === line.actor && post.reviewed_by_member === line.member_id;
      if (!stands) continue;
      standing += 1;
      expect(await behind(decisionsBy(line))).toContain(line.post_id);
    }
    expect(standing).toBeGreaterThan(0);
    expect(decisionsBy({ member_id: null, actor: "Sluice", source: "filter" })).toBeNull();
  });
});
