import { describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { reviewerFilter, decisionsUrl, actorDecisionsUrl } from "#lib/client/posts-url.ts";
import type { Log } from "#lib/review/log-schema.ts";
import type { PostDetail, PostList } from "#lib/review/post-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { makeCaller, type Caller } from "#tests/setup/caller.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

const ann = await makeCaller();
const bob = await makeCaller();
const key = await makeKey({ created_by: ann.member.id });
const keyName = (await db.api_key.findFirstOrThrow({ where: { created_by: ann.member.id } })).name;

const review = (id: number, approved: boolean | null, by: Caller = ann) =>
  by.send(`PATCH posts/${id}`, { approved });
const list = async (query: string) =>
  (await ann.send<PostList>(`GET posts?limit=100&${query}`)).json.items.map(({ id }) => id);
const behind = (href: string | null) => list(href?.split("?")[1] ?? "none=1");
const decidedBy = async (by: Caller) => new Set(await list(`reviewer=${by.member.id}`));
const historyOf = async (id: number) => (await ann.send<PostDetail>(`GET posts/${id}`)).json.history;

describe("the filter by the member who decided", () => {
  it("loses an undone decision, and gets back the one that the undo restores", async () => {
    const { id } = await makePost();
    await review(id, true);
    expect(await decidedBy(ann)).toContain(id);
    await review(id, false, bob);
    expect(await decidedBy(ann)).not.toContain(id);
    expect(await decidedBy(bob)).toContain(id);
    const undo = { id: crypto.randomUUID(), post_id: id, decision: "undo" };
    await bob.send("POST review/decisions", { decisions: [undo] });
    expect(await decidedBy(bob)).not.toContain(id);
    expect(await decidedBy(ann)).toContain(id);
    await review(id, null);
    expect(await decidedBy(ann)).not.toContain(id);
  });

  it("leaves out decisions of filters, which have no member", async () => {
    const { id } = await makePost({ approved: false, reviewed_at: new Date(), auto_reject_reason: "bot" });
    expect(await list(`auto_rejected=true`)).toContain(id);
    expect(await list("reviewer=0")).not.toContain(id);
  });

  it("has the decisions of a member's keys, and with the name of a key only those", async () => {
    const [own, through] = [await makePost(), await makePost()];
    await review(own.id, true);
    await sender({ key })(`PATCH posts/${through.id}`, { approved: true });
    const all = await decidedBy(ann);
    expect([all.has(own.id), all.has(through.id)]).toEqual([true, true]);
    expect(await list(`reviewer=${ann.member.id}&reviewed_by=${keyName}`)).toEqual([through.id]);
    const [line] = await historyOf(through.id);
    expect(line).toMatchObject({ actor: keyName, member_id: ann.member.id, source: "api" });
    expect(await behind(actorDecisionsUrl(line!))).toEqual([through.id]);
  });
});

describe("names of reviewers", () => {
  it("lead from the figures to the posts that these count", async () => {
    await review((await makePost()).id, false, bob);
    const { json } = await ann.send<Overview>("GET stats/overview");
    expect(json.reviewers.length).toBeGreaterThan(2);
    for (const line of json.reviewers)
      expect(await behind(decisionsUrl(reviewerFilter(line)))).toHaveLength(line.decided);
  });

  it("lead from a line of the log to the posts of its reviewer, none from a line of a filter", async () => {
    const { id } = await makePost();
    await review(id, false, bob);
    const { items } = (await ann.send<Log>(`GET audit?post_id=${id}`)).json;
    expect(items).toMatchObject([{ action: "reject", actor: bob.member.name, member_id: bob.member.id }]);
    expect(await behind(actorDecisionsUrl(items[0]!))).toContain(id);
    expect(actorDecisionsUrl({ member_id: null, actor: "Sluice", source: "filter" })).toBeNull();
  });
});
