import { describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { BatchCount, BatchResult } from "#lib/review/batch-schema.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import {
  copyOf,
  image,
  ingest,
  postOf,
  status,
  target,
  type Status,
  type IngestTarget,
} from "#tests/integration/streams/ingest-samples.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

/* A text that no reviewer has read is never handed out: each decision and each undo counts for one version of a post. */

const send = sender({ key: await makeKey() });
let minutes = 0;

/** A stored post, with a function that edits it at its own server and fetches it again. */
async function published(given: Parameters<typeof status>[0] = {}) {
  const stream: IngestTarget = await target();
  let now: Status = status({ content: "<p>A heron</p>", ...given });
  await ingest(stream, [now]);
  const { id } = await postOf(now);
  const edit = async (change: Partial<Status> = { content: "<p>Buy coins</p>" }) => {
    now = { ...now, edited_at: new Date(Date.now() + 60_000 * ++minutes).toISOString(), ...change };
    await ingest(stream, [now]);
  };
  return { id, edit };
}

const patch = (id: number, body: unknown) => send(`PATCH posts/${id}`, body);
const show = async (id: number) => (await send<PostDetail>(`GET posts/${id}`)).json;
const decideOne = async (decision: object) => {
  const decisions = [{ id: crypto.randomUUID(), ...decision }];
  return (await send<{ results: DecisionResult[] }>("POST review/decisions", { decisions })).json.results[0]!;
};
const countBatch = async (body: object) =>
  (await send<BatchCount>("POST review/batch?dry_run=true", body)).json;
const runBatch = async (body: object, query = "") =>
  (await send<BatchResult>(`POST review/batch${query}`, body)).json;

/** Ids of the posts that consumers get until the queue is empty. */
async function handedOut(): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { status: code, json } = await send<{ fenliu_post_id: number }>("GET curated/next");
    if (code === 204) return ids;
    ids.push(json.fenliu_post_id);
  }
}

async function expectUnreviewed(id: number) {
  expect(await show(id)).toMatchObject({ approved: null, queue_status: null });
  expect(await handedOut()).not.toContain(id);
}

async function reserved(id: number) {
  expect((await patch(id, { approved: true })).status).toBe(200);
  expect(await handedOut()).toContain(id);
}

async function failed(id: number, reason = `reason ${id}`) {
  await reserved(id);
  expect((await send(`POST curated/${id}/error`, { reason })).status).toBe(204);
  return reason;
}

describe("version", () => {
  const poll = (first: string) => ({
    options: [
      { title: first, votes_count: 0 },
      { title: "no", votes_count: 0 },
    ],
  });

  test.each<[string, Partial<Status>, Partial<Status>]>([
    ["text", {}, { content: "<p>Buy coins</p>" }],
    [
      "address behind a link",
      { content: '<p><a href="https://news.example/">A heron</a></p>' },
      { content: '<p><a href="https://coins.example/">A heron</a></p>' },
    ],
    ["content warning", {}, { spoiler_text: "coins" }],
    ["media", {}, { media_attachments: [image()] }],
    ["alt text", { media_attachments: [image("a cat")] }, { media_attachments: [image("a coin")] }],
    ["poll", { poll: poll("herons") }, { poll: poll("coins") }],
    ["sensitive mark", { sensitive: true }, { sensitive: false }],
  ])("rises with a change of the %s, with or without a time of edit", async (_name, before, after) => {
    for (const edited_at of [undefined, null]) {
      const { id, edit } = await published(before);
      expect(await show(id)).toMatchObject({ version: 1 });
      await patch(id, { approved: true });
      await edit({ ...after, ...(edited_at === null ? { edited_at } : {}) });
      expect(await show(id)).toMatchObject({ version: 2, approved: null, queue_status: null });
    }
  });

  test("rises when the post's own server shows another poll than the copy that was approved", async () => {
    const own = status({ poll: poll("coins") });
    await ingest(await target({ instance: "copy.example" }), [copyOf(own, { poll: poll("herons") })]);
    const { id } = await postOf(own);
    await patch(id, { approved: true });
    await ingest(await target(), [own]);
    expect(await show(id)).toMatchObject({ version: 2, approved: null, queue_status: null });
  });
});

describe("a decision about an earlier version", () => {
  test("of the desk is a conflict, and the card comes back with the difference", async () => {
    const { id, edit } = await published();
    const cardOf = async () =>
      (await send<Deck>("GET review/deck?count=20")).json.items.find((card) => card.id === id);
    const shown = await cardOf();
    await edit();
    const decision = { id: crypto.randomUUID(), post_id: id, decision: "approve", version: shown?.version };
    const conflict = { result: "conflict", code: "edited", detail: "Edited since it was shown" };
    expect(await decideOne(decision)).toMatchObject({ ...conflict, post: { version: 2, approved: null } });
    expect(await decideOne(decision)).toMatchObject(conflict);
    expect(await cardOf()).toMatchObject({
      version: 2,
      content: "<p>Buy coins</p>",
      edit: { before: { content: "<p>A heron</p>" }, after: { content: "<p>Buy coins</p>" } },
    });
    await expectUnreviewed(id);
    expect(await decideOne({ post_id: id, decision: "approve", version: 2 })).toMatchObject({
      result: "applied",
    });
    expect(await handedOut()).toContain(id);
  });

  test("without a version is a conflict when the edit came after the decision", async () => {
    const { id, edit } = await published();
    const decided_at = new Date(Date.now() - 3_600_000).toISOString();
    await edit();
    for (const decision of ["approve", "reject"]) {
      expect(await decideOne({ post_id: id, decision, decided_at })).toMatchObject({ code: "edited" });
    }
    await expectUnreviewed(id);
    const now = new Date(Date.now() + 1000).toISOString();
    expect(await decideOne({ post_id: id, decision: "approve", decided_at: now })).toMatchObject({
      result: "applied",
    });
  });

  test("by PATCH is refused when it names its version, and counts for the current one when not", async () => {
    const { id, edit } = await published();
    await edit();
    for (const answer of [
      await patch(id, { approved: true, version: 1 }),
      await send(`POST posts/${id}/approve`, { version: 1 }),
    ]) {
      expect(answer).toMatchObject({
        status: 409,
        json: { detail: "Post was edited: this is version 2, not 1" },
      });
    }
    await expectUnreviewed(id);
    expect((await patch(id, { approved: true, version: 0 })).status).toBe(422);
    expect((await patch(id, { version: 2 })).status).toBe(422);
    expect((await patch(id, { approved: true })).status).toBe(200);
    expect(await handedOut()).toContain(id);
  });

  test("in a batch of shown posts leaves the post unreviewed", async () => {
    const [first, second] = [await published(), await published()];
    const shown = [first, second].map(({ id }) => ({ id, approved: null, version: 1 }));
    const body = { decision: "approve", post_ids: shown.map(({ id }) => id), shown };
    await second.edit();
    const left = { changed: 1, unchanged: [{ post_id: second.id, detail: "Edited since it was shown" }] };
    expect(await countBatch(body)).toMatchObject(left);
    expect(await runBatch(body)).toMatchObject(left);
    await expectUnreviewed(second.id);
  });

  test.each([
    ["its filter", (id: number) => ({ filter: { q: `heron${id}` } })],
    ["its ids", (id: number) => ({ post_ids: [id] })],
  ])("in a batch by %s, counted before the edit, leaves the post unreviewed", async (_name, which) => {
    const { id, edit } = await published();
    await db.$executeRaw`UPDATE post SET search = to_tsvector('simple', ${`heron${id}`}) WHERE id = ${id}`;
    const body = { decision: "approve", ...which(id) };
    const { as_of, ...counted } = await countBatch(body);
    expect(counted).toEqual({ changed: 1, unchanged: [] });
    await edit();
    await db.$executeRaw`UPDATE post SET search = to_tsvector('simple', ${`heron${id}`}) WHERE id = ${id}`;
    expect(await runBatch(body, `?as_of=${as_of}`)).toMatchObject({
      changed: 0,
      unchanged: [{ detail: "Changed since it was counted" }],
    });
    await expectUnreviewed(id);
  });

  test("in a batch by filter leaves out posts that came after the count", async () => {
    const filter = { q: "bittern" };
    const word = (id: number) =>
      db.$executeRaw`UPDATE post SET search = to_tsvector('simple', 'bittern') WHERE id = ${id}`;
    const first = await published();
    await word(first.id);
    const { as_of } = await countBatch({ decision: "reject", filter });
    const second = await published();
    await word(second.id);
    const { unchanged } = await runBatch({ decision: "reject", filter }, `?as_of=${as_of}`);
    expect(unchanged).toEqual([{ post_id: second.id, detail: "Changed since it was counted" }]);
    expect(await show(first.id)).toMatchObject({ approved: false });
    await expectUnreviewed(second.id);
  });
});

describe("an edit that is seen while a post is", () => {
  test.each([
    ["reserved", (id: number) => reserved(id), "nack"],
    ["failed", (id: number) => failed(id), "requeue"],
  ])(
    "%s keeps it from being handed out again, also when its server sends an older answer",
    async (_state, enter, back) => {
      const { id, edit } = await published();
      await enter(id);
      await edit();
      expect(await show(id)).toMatchObject({ approved: true, content: "<p>A heron</p>", held_by: "differs" });
      expect((await send(`POST curated/${id}/${back}`)).status).toBe(204);
      expect(await handedOut()).not.toContain(id);
      await edit({ content: "<p>A heron</p>", edited_at: null });
      expect(await handedOut()).not.toContain(id);
      await edit();
      await expectUnreviewed(id);
    },
  );
});

describe("an undo that would approve an edited post", () => {
  test("of a desk decision leaves it unreviewed", async () => {
    const { id, edit } = await published();
    await decideOne({ post_id: id, decision: "approve", version: 1 });
    await decideOne({ post_id: id, decision: "reject", version: 1 });
    await edit();
    expect(await decideOne({ post_id: id, decision: "undo" })).toMatchObject({
      result: "applied",
      detail: "Edited since: it is unreviewed",
    });
    await expectUnreviewed(id);
  });

  test("of a batch leaves it unreviewed and returns the others", async () => {
    const [edited, same] = [await published(), await published()];
    for (const { id } of [edited, same]) await patch(id, { approved: true });
    const ids = [edited.id, same.id];
    const { batch_id } = await runBatch({ decision: "reject", post_ids: ids });
    await edited.edit();
    expect((await send<BatchResult>(`POST review/batch/${batch_id}/undo`)).json).toMatchObject({
      changed: 1,
      unchanged: [{ post_id: edited.id, detail: "Edited since: it is unreviewed" }],
    });
    await expectUnreviewed(edited.id);
    expect(await show(same.id)).toMatchObject({ approved: true });
  });

  test("of a rejected error, decided at the desk, leaves it unreviewed", async () => {
    const { id, edit } = await published();
    await failed(id);
    await decideOne({ post_id: id, decision: "reject" });
    await edit();
    await decideOne({ post_id: id, decision: "undo" });
    await expectUnreviewed(id);
  });
});
