import { describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { ingestPosts } from "#lib/collect/ingest-posts.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { enqueuePosts, refreshEntries } from "#lib/queue/queue-entries.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import {
  copyOf,
  entries,
  HOME,
  historyOf,
  image,
  ingest,
  postOf,
  status,
  target,
  type Status,
} from "./ingest-samples.ts";

const later = () => new Date(Date.now() + counter++).toISOString();
let counter = 0;
const edit = (sent: Status, change: Partial<Status> = { content: "<p>Something else</p>" }): Status => ({
  ...sent,
  edited_at: later(),
  ...change,
});

async function approve(sent: Status) {
  const { id } = await postOf(sent);
  const at = new Date();
  await db.post.update({
    where: { id },
    data: { approved: true, reviewed_at: at, approved_at: at, reviewed_by: "Ana", classified_at: at },
  });
  await db.$transaction((tx) => enqueuePosts(tx, [id], at));
  return id;
}
const entryOf = (postId: number) => db.queue_entry.findUnique({ where: { post_id: postId } });

const reserve = (postId: number) =>
  db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), reserved_at = now(),
    lease_expires_at = now() + interval '5 minutes' WHERE post_id = ${postId}`;

describe("counters", () => {
  test("takes the home server's counters and only raises them from others", async () => {
    const home = await target();
    const elsewhere = await target({ instance: "elsewhere.example" });
    const sent = status({ reblogs_count: 5, favourites_count: 5, replies_count: 5 });
    await ingest(home, [sent]);
    await ingest(elsewhere, [copyOf(sent, { reblogs_count: 9, favourites_count: 1 })]);
    expect(await postOf(sent)).toMatchObject({ boosts: 9, likes: 5, replies: 5 });
    const again = await ingest(home, [{ ...sent, reblogs_count: 4 }]);
    expect(again).toMatchObject({ updated: 1 });
    expect(await postOf(sent)).toMatchObject({ boosts: 4, likes: 5, replies: 5 });
  });
});

describe("an edit", () => {
  test("forgets hashes of other media, and checks of other pictures", async () => {
    const stream = await target();
    const sent = status({ media_attachments: [image()] });
    await ingest(stream, [sent]);
    const { id } = await postOf(sent);
    const checked = { picture_state: "done", pictures: [{ medium: 0 }] };
    const after = async (change: Partial<Status>) => {
      await db.post_check.upsert({
        where: { post_id: id },
        create: { post_id: id, ...checked },
        update: checked,
      });
      await db.$executeRaw`INSERT INTO picture_hash (post_id, medium, source) VALUES (${id}, 0, 'x') ON CONFLICT DO NOTHING`;
      await ingest(stream, [edit(sent, change)]);
      const { picture_state } = await db.post_check.findUniqueOrThrow({ where: { post_id: id } });
      return [picture_state, await db.picture_hash.count({ where: { post_id: id } })];
    };
    expect(await after({ content: "<p>Other words</p>" })).toEqual(["done", 1]);
    expect(await after({ media_attachments: [image("a dog")] })).toEqual(["done", 0]);
    const other = image("a dog", "https://files.home.example/2.jpg");
    expect(await after({ media_attachments: [other] })).toEqual(["waiting", 0]);
    expect(await after({ media_attachments: [] })).toEqual(["none", 0]);
  });

  test("of the text withdraws the approval, keeps the difference and goes back to review", async () => {
    const change = { content: "<p>Buy coins</p>" };
    const stream = await target();
    const sent = status({ content: "<p>A heron</p>" });
    await ingest(stream, [sent]);
    const id = await approve(sent);
    const result = await ingest(stream, [edit(sent, change)]);
    expect(result).toMatchObject({ new: 0, duplicates: 1, updated: 1 });
    expect(await postOf(sent)).toMatchObject({
      approved: null,
      reviewed_at: null,
      approved_at: null,
      reviewed_by: null,
      classified_at: null,
    });
    expect(await entryOf(id)).toBeNull();
    const [line] = await historyOf(id);
    expect(line).toMatchObject({
      action: "edit",
      from_state: "pending",
      to_state: "unreviewed",
      source: "service",
    });
    expect(line?.details).toMatchObject({
      before: { content: "<p>A heron</p>", spoiler_text: null, media: [] },
      after: change,
    });
    const edited_at = (await postOf(sent)).edited_at?.toISOString() ?? null;
    expect(await ingest(stream, [edit(sent, { ...change, edited_at })])).toMatchObject({ updated: 0 });
  });

  test("of an unreviewed, rejected or delivered post is stored without a state change", async () => {
    const stream = await target();
    const [open, rejected, sent] = [status(), status(), status()];
    await ingest(stream, [open, rejected, sent]);
    const { id } = await postOf(rejected);
    await db.post.update({ where: { id }, data: { approved: false, reviewed_at: new Date() } });
    const delivered = await approve(sent);
    await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() WHERE post_id = ${delivered}`;
    await ingest(stream, [edit(open), edit(rejected), edit(sent)]);
    for (const [post, approved] of [
      [open, null],
      [rejected, false],
      [sent, true],
    ] as const)
      expect(await postOf(post)).toMatchObject({ approved, plain_text: "Something else" });
    expect((await entryOf(delivered))?.state).toBe("delivered");
    expect(await historyOf(id)).toMatchObject([
      { action: "edit", from_state: "rejected", to_state: "rejected" },
    ]);
  });

  test("that adds a blocked hashtag rejects the post", async () => {
    const stream = await target();
    const sent = status();
    await ingest(stream, [sent]);
    const id = await approve(sent);
    await db.blocked_hashtag.create({ data: { hashtag: "casino", hashtag_folded: "casino" } });
    await ingest(stream, [edit(sent, { content: "<p>#casino</p>", tags: [{ name: "casino" }] })]);
    expect(await postOf(sent)).toMatchObject({ approved: false, auto_reject_reason: "blocked_hashtag" });
    expect((await historyOf(id)).map((line) => line.action)).toEqual(["edit", "auto_reject"]);
    await db.blocked_hashtag.deleteMany();
  });

  test("of an older version does not overwrite a newer one", async () => {
    const stream = await target();
    const sent = status();
    await ingest(stream, [sent]);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const early = edit(sent, { content: "<p>First</p>", edited_at: ago(60) });
    const late = edit(sent, { content: "<p>Second</p>", edited_at: ago(30) });
    let slower: Promise<unknown> | undefined;
    await db.$transaction(async (tx) => {
      await ingestPosts(tx, stream, entries([late]));
      slower = ingest(stream, [early]);
      await waitForBlockedStatement();
    }, LOCK_TIMEOUT);
    await slower;
    expect(await postOf(sent)).toMatchObject({ content: "<p>Second</p>" });
  });

  test("of names and tags updates post and entry", async () => {
    const stream = await target();
    const sent = status();
    await ingest(stream, [sent]);
    const id = await approve(sent);
    await ingest(stream, [
      {
        ...sent,
        tags: [{ name: "cats" }, { name: "dogs" }],
        account: { ...sent.account, display_name: "New", bot: true },
      },
    ]);
    expect(await postOf(sent)).toMatchObject({
      approved: true,
      author_display_name: "New",
      author_is_bot: true,
    });
    expect(await entryOf(id)).toMatchObject({ state: "pending", missing: 1 | 4 });
    expect((await entryOf(id))?.tags).toContain("dogs");
  });

  test("re-evaluates blocks, reported opt-outs and address, and keeps other holds", async () => {
    const stream = await target();
    const sent = status();
    await ingest(stream, [sent]);
    const id = await approve(sent);
    // All holds, although no list matches, no switch is on, no opt-out is reported and the URL is https.
    await db.queue_entry.update({ where: { post_id: id }, data: { holds: 1023 } });
    await db.$transaction((tx) => refreshEntries(tx, [id]));
    expect((await entryOf(id))?.holds).toBe(4 | 8 | 16);
  });
});

describe("another server's copy", () => {
  test("adds a post, and the home server's version replaces it", async () => {
    const elsewhere = await target({ instance: "elsewhere.example" });
    const home = await target();
    const sent = status({ content: "<p>A heron</p>" });
    await ingest(elsewhere, [copyOf(sent)]);
    expect(await postOf(sent)).toMatchObject({ from_home: false });
    const id = await approve(sent);
    await ingest(home, [sent]);
    expect(await postOf(sent)).toMatchObject({ from_home: true, approved: true });
    expect((await entryOf(id))?.state).toBe("pending");
  });

  test("that differs holds the post until the home server was asked", async () => {
    const one = await target({ instance: "one.example" });
    const two = await target({ instance: "two.example" });
    const home = await target();
    const sent = status({ content: "<p>A heron</p>" });
    await ingest(one, [copyOf(sent)]);
    const id = await approve(sent);
    expect(await ingest(two, [copyOf(sent, { content: "<p>Buy coins</p>" })])).toMatchObject({ updated: 0 });
    const holds = holdBits.unconfirmed | holdBits.differs;
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds });
    expect(await postOf(sent)).toMatchObject({ plain_text: "A heron", approved: true });

    await ingest(home, [sent]);
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
    expect((await postOf(sent)).differs_since).toBeNull();
    // The home server was asked just now, so the copy causes no request.
    await ingest(two, [copyOf(sent, { content: "<p>Buy coins</p>", edited_at: later() })]);
    expect((await entryOf(id))?.holds).toBe(0);
  });

  test.each([
    [5, 0],
    [7, holdBits.differs],
  ])("that is newer than the home server's version of %i hours ago holds it: %i", async (hours, holds) => {
    const elsewhere = await target({ instance: "elsewhere.example" });
    const sent = status({ content: "<p>A heron</p>" });
    await ingest(await target(), [sent]);
    const id = await approve(sent);
    const asked = new Date(Date.now() - hours * 3_600_000);
    await db.post.update({ where: { id }, data: { source_checked_at: asked } });
    const edited_at = new Date(Date.now() - 60_000).toISOString();
    await ingest(elsewhere, [copyOf(sent, { content: "<p>Buy coins</p>", edited_at })]);
    expect((await entryOf(id))?.holds).toBe(holds);
  });
});

describe("a post withdrawn from the public", () => {
  test("is rejected when its home server calls it private", async () => {
    const stream = await target();
    const sent = status();
    const held = status();
    await ingest(stream, [sent, held]);
    const id = await approve(sent);
    const inHand = await approve(held);
    await reserve(inHand);
    await ingest(stream, [
      { ...sent, visibility: "private" },
      { ...held, visibility: "direct" },
    ]);
    expect(await postOf(sent)).toMatchObject({ approved: false, auto_reject_reason: "withdrawn" });
    expect(await entryOf(id)).toBeNull();
    expect(await historyOf(id)).toMatchObject([
      {
        action: "auto_reject",
        source: "filter",
        from_state: "pending",
        to_state: "rejected",
        note: "withdrawn",
      },
    ]);
    expect(await entryOf(inHand)).toMatchObject({ state: "reserved", holds: holdBits.unverifiable });
  });

  test.each([HOME, "a.home.example"])("is not rejected or edited by the related host %s", async (of) => {
    const home = await target();
    const related = await target({ instance: of });
    const host = of === HOME ? `social.${HOME}` : HOME;
    const sent = status({}, host);
    await ingest({ ...home, instance: host }, [sent]);
    const copy = copyOf(sent, { content: "<p>Other words</p>", edited_at: new Date().toISOString() }, host);
    await ingest(related, [{ ...copy, visibility: "private" }]);
    await ingest(related, [copy]);
    expect(await postOf(sent)).toMatchObject({ approved: null, erased_at: null, confirmed_by: host });
    expect((await postOf(sent)).plain_text).not.toContain("Other words");
  });
});
