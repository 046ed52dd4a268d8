import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { Stream } from "#lib/collect/stream-schema.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { enqueuePosts, refreshEntries } from "#lib/queue/queue-entries.ts";
import { makeKey, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { sender, type Send } from "#tests/setup/operations.ts";

let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});

const fresh = () => `tag${randomUUID().replaceAll("-", "")}x`;
const create = (body: unknown) => send<Stream>("POST streams", body);
const read = async (id: number) => (await send<Stream>(`GET streams/${id}`)).json;
const patch = (id: number, body: object) => send<Stream>(`PATCH streams/${id}`, body);
const remove = (id: number) => send(`DELETE streams/${id}`);
const list = (query: string) =>
  send<{ items: Stream[]; total: number; skip: number; limit: number }>(`GET streams${query}`);

describe("creating", () => {
  test("requires only a hashtag, and the first fetch is due at once", async () => {
    const tag = fresh();
    const answer = await create({ hashtag: `#${tag}`, colour: "ignored" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/api/v1/streams/${answer.json.id}`);
    expect(answer.json).toMatchObject({
      hashtag: tag,
      instance: "mastodon.social",
      last_fetch: null,
      last_check: null,
      last_error: null,
      platform: null,
      post_count: 0,
    });
    expect(Date.parse(answer.json.next_scheduled_fetch ?? "")).toBeLessThanOrEqual(Date.now() + 1000);
    expect(await read(answer.json.id)).toEqual(answer.json);
    expect(Object.keys(answer.json).sort()).toEqual(Object.keys(Stream.shape).sort());
  });

  test("normalises server and languages", async () => {
    const answer = await create({
      hashtag: fresh(),
      instance: "https://MÜNCHEN.example./tags/x",
      enable_scheduling: false,
      languages: ["DE", "en", "de"],
    });
    expect(answer.json).toMatchObject({
      instance: "xn--mnchen-3ya.example",
      next_scheduled_fetch: null,
      languages: ["de", "en"],
    });
  });

  test("answers 409 with the stored spelling for an existing pair", async () => {
    const tag = `Café${fresh()}`;
    await create({ hashtag: tag, instance: "one.example" });
    const again = await create({
      hashtag: `#${tag.toUpperCase().replace("É", "e")}`,
      instance: "ONE.example",
    });
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ detail: `Hashtag #${tag} already monitored on one.example` });
    expect((await create({ hashtag: tag, instance: "two.example" })).status).toBe(201);
  });

  test("creates one stream for parallel requests", async () => {
    const body = { hashtag: fresh() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(body)));
    expect(answers.map((a) => a.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const lines = await db.audit_event.count({
      where: { action: "stream.create", subject: `#${body.hashtag} on mastodon.social` },
    });
    expect(lines).toBe(1);
  });
});

describe("listing", () => {
  test("is ordered by id and filtered by active", async () => {
    const one = await makeStream();
    const two = await makeStream({ active: false });
    const all = await list("?limit=1000");
    const ids = all.json.items.map((s) => s.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(all.json).toMatchObject({ total: ids.length, skip: 0, limit: 1000 });

    const inactive = await list("?active=NO&limit=1000");
    expect(inactive.json.items.every((s) => !s.active)).toBe(true);
    expect(inactive.json.items.map((s) => s.id)).toContain(two.id);
    expect(inactive.json.total).toBe(inactive.json.items.length);
    const active = await list("?active=1&limit=1000");
    expect(active.json.items.map((s) => s.id)).toContain(one.id);
  });
});

describe("changing", () => {
  test("to an existing pair is a 409 without changes", async () => {
    const one = (await create({ hashtag: fresh() })).json;
    const two = (await create({ hashtag: fresh() })).json;
    const answer = await patch(two.id, { hashtag: one.hashtag.toUpperCase(), active: false });
    expect([answer.status, answer.json]).toMatchObject([
      409,
      { detail: `Hashtag #${one.hashtag} already monitored on mastodon.social` },
    ]);
    expect(await read(two.id)).toEqual(two);
  });

  test("to another spelling keeps the positions, to another source resets them", async () => {
    const tag = fresh();
    const { id } = (await create({ hashtag: tag })).json;
    await db.stream.update({
      where: { id },
      data: { cursor: { head: "9" }, last_error: "broken", platform: "mastodon" },
    });
    await patch(id, { hashtag: tag.toUpperCase() });
    expect(await db.stream.findUniqueOrThrow({ where: { id } })).toMatchObject({
      hashtag: tag.toUpperCase(),
      cursor: { head: "9" },
      last_error: "broken",
    });
    await patch(id, { instance: "elsewhere.example" });
    const moved = await db.stream.findUniqueOrThrow({ where: { id } });
    expect(moved).toMatchObject({ last_error: null, platform: null, fetch_lease: null });
    // toMatchObject would accept any object for {}.
    expect(moved.cursor).toEqual({});
  });

  test("to another source is refused once a post was stored, whose hashtag outlives the stream", async () => {
    const tag = fresh();
    const { id } = (await create({ hashtag: tag })).json;
    const from = { stream_id: id, hashtags: ["x"] };
    const waiting = await makePending(from);
    const late = await makePost(from);
    for (const body of [{ hashtag: fresh() }, { instance: "elsewhere.example" }]) {
      const refused = await patch(id, body);
      expect([refused.status, refused.json.detail]).toEqual([
        409,
        `Stream ${id} has stored posts, so its hashtag and server cannot change: add another stream`,
      ]);
    }
    const spelled = { hashtag: tag.toUpperCase(), instance: "MASTODON.social", languages: ["en"] };
    expect((await patch(id, spelled)).status).toBe(200);
    const now = new Date();
    await db.post.update({
      where: { id: late.id },
      data: { approved: true, reviewed_at: now, approved_at: now },
    });
    await db.$transaction((tx) => enqueuePosts(tx, [late.id], now));
    await db.$transaction((tx) => refreshEntries(tx, [waiting.id]));
    const gone = await makePending(from);
    await remove(id);
    await db.$transaction((tx) => refreshEntries(tx, [gone.id]));
    const tags = async (post: { id: number }) =>
      (await db.queue_entry.findUniqueOrThrow({ where: { post_id: post.id } })).tags.toSorted();
    expect([await tags(waiting), await tags(late)]).toEqual([
      [foldHashtag(tag), "x"].toSorted(),
      [foldHashtag(tag), "x"].toSorted(),
    ]);
    const cameBy = await db.post.findUniqueOrThrow({ where: { id: gone.id } });
    expect(await tags(gone)).toEqual([cameBy.stream_hashtag_folded, "x"].toSorted());
  });

  test("to another source is refused also when its posts were deleted since", async () => {
    const { id } = (await create({ hashtag: fresh() })).json;
    const shown = async () => (await read(id)).source_fixed;
    expect(await shown()).toBe(false);
    const post = await makePost({ stream_id: id });
    await db.post.delete({ where: { id: post.id } });
    expect(await shown()).toBe(true);
    const answer = await patch(id, { hashtag: fresh() });
    expect(answer.status).toBe(409);
  });

  test("inactive removes it from the schedule, active makes it due at once", async () => {
    const { id } = (await create({ hashtag: fresh() })).json;
    expect((await patch(id, { active: false })).json.next_scheduled_fetch).toBeNull();
    const on = await patch(id, { active: true });
    expect(Math.abs(Date.parse(on.json.next_scheduled_fetch ?? "") - Date.now())).toBeLessThan(5000);
  });
});

describe("deleting", () => {
  test("keeps the posts without a stream, and all sums", async () => {
    const { id } = await makeStream();
    const post = await makePost({ stream_id: id, stream_hashtag: "cats" });
    const waiting = await makePending({ stream_id: id, stream_hashtag: "cats" });
    await db.sighting.create({ data: { stream_id: id, post_id: post.id } });
    const sums = () => sumsOf("level");
    const before = await sums();

    const answer = await remove(id);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await remove(id)).status).toBe(404);
    expect(await db.post.findUniqueOrThrow({ where: { id: post.id } })).toMatchObject({
      stream_id: null,
      stream_hashtag: "cats",
    });
    expect((await db.queue_entry.findUniqueOrThrow({ where: { post_id: waiting.id } })).stream_id).toBeNull();
    expect(await sums()).toEqual(before);
    expect(await db.audit_event.count({ where: { action: "stream.delete" } })).toBeGreaterThan(0);
  });
});
