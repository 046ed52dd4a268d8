import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addBlock, removeBlock } from "#lib/blocking/blocks.ts";
import type { AddedBlock, BlockReach, SwitchesChanged, UserImportResult } from "#lib/blocking/schema.ts";
import { switches } from "#lib/queue/switches.ts";
import { decide } from "#lib/review/decide.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import { reviewPost } from "#lib/review/review-post.ts";
import { makeCaller, type Caller } from "#tests/setup/caller.ts";
import { waitForBlockedStatement } from "#tests/setup/database.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { holdsOf, wrongEntries } from "./filters-queue.ts";

/* A block or switch acts at once on everything stored, and its removal takes that back. */

const controls = "reblog-controls";
const ann = { author_username: "ann", instance: "bad.example" };
const body = { account_identifier: "ann@bad.example" };
const SPAM = 1;

let caller: Caller;
beforeEach(async () => {
  caller = await makeCaller();
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, post, stream CASCADE`;
  await switches.set({
    auto_reject_blocked_users: true,
    auto_reject_blocked_hashtags: true,
    auto_reject_bots: false,
  });
});

const block = async (more: object = {}, query = "") =>
  (
    await caller.send<AddedBlock & BlockReach>(`POST ${controls}/blocked-users${query}`, {
      ...body,
      ...more,
    })
  ).json;
const unblock = (id: number) => caller.send(`DELETE ${controls}/blocked-users/${id}`);
const set = async (change: object, query = "") =>
  (await caller.send<SwitchesChanged>(`PUT ${controls}/settings${query}`, change)).json;
const show = async (id: number) => (await caller.send<PostDetail>(`GET posts/${id}`)).json;
const stateOf = async (id: number) => {
  const { approved, auto_reject_reason } = await show(id);
  return [approved, auto_reject_reason];
};
const unreviewed = [null, null];
const rejected = [false, "blocked_user"];
/** As a fetch rejects it. */
const rejectedAtFetch = async (reason: string, author: Parameters<typeof makePost>[0] = ann) => {
  const post = await makePost({
    ...author,
    approved: false,
    reviewed_at: new Date(),
    auto_reject_reason: reason,
  });
  await db.post_event.create({
    data: { post_id: post.id, actor: "Sluice", source: "filter", action: "auto_reject", details: { reason } },
  });
  return post;
};

describe("a block", () => {
  it("holds approved posts and rejects those that wait, with the figures of its dry run", async () => {
    const [held, waiting, other] = [await makePending(ann), await makePost(ann), await makePost()];
    expect(await block({}, "?dry_run=true")).toEqual({
      held: 1,
      rejected: 1,
      as_of: expect.any(String) as string,
    });
    expect([await db.blocked_user.count(), await stateOf(waiting.id)]).toEqual([0, unreviewed]);
    expect(await block()).toMatchObject({ account_identifier: "ann@bad.example", held: 1, rejected: 1 });
    expect(await holdsOf(db, held.id)).toBe(1);
    expect([await stateOf(waiting.id), await stateOf(other.id)]).toEqual([rejected, unreviewed]);
    expect((await show(waiting.id)).history.at(-1)).toMatchObject({
      action: "auto_reject",
      source: "filter",
      actor: caller.member.name,
      note: "blocked_user: @ann@bad.example",
    });
  });

  it("gives the rejected posts the reason spam", async () => {
    const { id } = await makePost(ann);
    const { id: entry } = await block();
    expect((await show(id)).reject_reason).toBe(SPAM);
    await unblock(entry);
    expect((await show(id)).reject_reason).toBeNull();
  });

  it("leaves waiting posts that came or changed after its count", async () => {
    const [counted, edited] = [await makePost(ann), await makePost(ann)];
    const { as_of } = await block({}, "?dry_run=true");
    await db.post_event.create({
      data: { post_id: edited.id, actor: "x", source: "service", action: "edit" },
    });
    const late = await makePost(ann);
    expect(await block({}, `?as_of=${as_of}`)).toMatchObject({ rejected: 1 });
    expect(await stateOf(counted.id)).toEqual(rejected);
    expect([await stateOf(edited.id), await stateOf(late.id)]).toEqual([unreviewed, unreviewed]);
  });

  it("of a hashtag counts the hashtag of the stream", async () => {
    const stream = await makeStream({ hashtag: "Cats", instance: "mastodon.example" });
    const byStream = await makePost({ stream_id: stream.id, hashtags: ["x"] });
    const byTag = await makePost({ hashtags: ["CATS"] });
    const path = `POST ${controls}/blocked-hashtags`;
    const counted = await caller.send(`${path}?dry_run=true`, { hashtag: "cats" });
    expect(counted.json).toMatchObject({ rejected: 2 });
    await caller.send(path, { hashtag: "cats" });
    for (const { id } of [byStream, byTag]) expect(await stateOf(id)).toEqual([false, "blocked_hashtag"]);
  });

  it("from a list acts in the same way", async () => {
    const [held, waiting] = [await makePending(ann), await makePost(ann)];
    for (const query of ["?dry_run=true", ""]) {
      const path = `POST ${controls}/blocked-users/import${query}`;
      const { json } = await caller.send<UserImportResult>(path, { text: "bad.example\n" });
      expect(json).toMatchObject({ added: 1, held: 1, rejected: 1 });
    }
    expect([await holdsOf(db, held.id), await stateOf(waiting.id)]).toEqual([1, rejected]);
  });

  it("keeps a post approved while it waited for the lock", async () => {
    const { id } = await makePost(ann);
    let late: ReturnType<typeof block> | undefined;
    await db.$transaction(
      async (tx) => {
        await decide(tx, servicePrincipal, [id], true);
        late = block();
        await waitForBlockedStatement();
      },
      { timeout: 20_000 },
    );
    expect(await late).toMatchObject({ rejected: 0 });
    expect(await stateOf(id)).toEqual([true, null]);
  });

  it("rejects each of many posts once, during parallel reviews", async () => {
    await db.$executeRaw`
      INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at)
      SELECT 'https://h.example/' || i, 'u' || i, '@u' || i || '@h.example', 'u' || i % 4500 || '@h.example', 'h.example', now()
        FROM generate_series(1, 5000) i`;
    const matching = await db.post.findMany({
      where: { author_key: { endsWith: "7@h.example" } },
      select: { id: true },
    });
    expect(matching).toHaveLength(500);
    const before = await db.post_event.count({ where: { action: "auto_reject" } });
    const approvals = matching
      .slice(0, 20)
      .map((post) => reviewPost(servicePrincipal, post.id, { approved: true }));
    const pattern = { account_identifier: "7@h.example", pattern_type: "suffix" } as const;
    const [{ rejected: count }] = await Promise.all([
      addBlock("user", servicePrincipal, pattern),
      ...approvals,
    ]);
    expect((await db.post_event.count({ where: { action: "auto_reject" } })) - before).toBe(count);
    expect(await db.post.count({ where: { approved: true } })).toBe(20);
    expect(await db.post.count({ where: { approved: false } })).toBe(480);
    expect(await wrongEntries(db)).toEqual([]);
  });
});

describe("the removal of a block", () => {
  it("releases what it held and returns what was rejected when it was set", async () => {
    const [held, waiting] = [await makePending(ann), await makePost(ann)];
    const { id } = await block();
    expect((await unblock(id)).status).toBe(204);
    expect([await holdsOf(db, held.id), await stateOf(waiting.id)]).toEqual([0, unreviewed]);
  });

  it("leaves posts that a fetch rejected, and those that a person decided meanwhile", async () => {
    const [approved, byPerson, waiting] = [await makePost(ann), await makePost(ann), await makePost(ann)];
    const { id } = await block();
    const fetched = await rejectedAtFetch("blocked_user");
    await reviewPost(servicePrincipal, approved.id, { approved: true });
    for (const verdict of [true, false])
      await reviewPost(servicePrincipal, byPerson.id, { approved: verdict });
    await unblock(id);
    expect(await stateOf(fetched.id)).toEqual(rejected);
    expect((await show(approved.id)).approved).toBe(true);
    expect(await stateOf(byPerson.id)).toEqual([false, null]);
    expect(await stateOf(waiting.id)).toEqual(unreviewed);
  });

  it("returns nothing that another block or a switch rejects", async () => {
    const { id: post } = await makePost(ann);
    const { id } = await block();
    const domain = await addBlock("user", servicePrincipal, {
      account_identifier: "@bad.example",
      pattern_type: "suffix",
    });
    await unblock(id);
    expect(await stateOf(post)).toEqual(rejected);
    await removeBlock("user", servicePrincipal, domain.id);
    expect(await stateOf(post)).toEqual(unreviewed);
  });
});

describe("a switch that rejects on fetch", () => {
  it.each([
    ["auto_reject_bots", "bot", { author_is_bot: true }],
    ["auto_reject_blocked_users", "blocked_user", ann],
    ["auto_reject_blocked_hashtags", "blocked_hashtag", { hashtags: ["zebras"] }],
  ])("%s rejects what waits, and returns that when it is switched off", async (name, reason, post) => {
    await set({ [name]: false });
    await addBlock("user", servicePrincipal, { ...body, pattern_type: "exact" });
    await addBlock("hashtag", servicePrincipal, { hashtag: "zebras" });
    const [waiting, other] = [await makePost(post), await makePost()];
    const fetched = await rejectedAtFetch(reason, post);
    expect(await set({ [name]: true }, "?dry_run=true")).toMatchObject({ [name]: true, rejected: 1 });
    expect(await stateOf(waiting.id)).toEqual(unreviewed);
    expect(await set({ [name]: true })).toMatchObject({ [name]: true, rejected: 1, returned: 0 });
    expect([await stateOf(waiting.id), await stateOf(other.id)]).toEqual([[false, reason], unreviewed]);
    expect(await set({ [name]: false }, "?dry_run=true")).toMatchObject({ rejected: 0, returned: 1 });
    expect(await set({ [name]: false })).toMatchObject({ returned: 1 });
    expect(await stateOf(waiting.id)).toEqual(unreviewed);
    expect(await stateOf(fetched.id)).toEqual([false, reason]);
  });
});
