import { truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { POST as postAck } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/base/db.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { switches } from "#lib/queue/switches.ts";
import { importFenLiu } from "#lib/runtime/import-fenliu/import-file.ts";
import { getStats } from "#lib/stats/get-stats.ts";
import { compactTally } from "#lib/base/tally.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { approved, fenLiuPost, fenLiuStream, makeFenLiuFile } from "./fenliu-file.ts";

/** One installation takes one file: one test imports it, and others read what came. */
const full = () =>
  makeFenLiuFile({
    hashtag_streams: [fenLiuStream, { ...fenLiuStream, id: 7, hashtag: "Owls", active: 0 }],
    posts: [
      fenLiuPost(10),
      fenLiuPost(11, approved("pending", "2026-10-02 10:00:00.000900")),
      fenLiuPost(12, approved("pending", "2026-10-02 10:00:00.000100")),
      fenLiuPost(13, { ...approved("pending"), reviewed_at: null }),
      fenLiuPost(14, approved("reserved")),
      fenLiuPost(15, approved("delivered")),
      fenLiuPost(16, { ...approved("error"), error_details: '{"error_type":"duplicate_attachment"}' }),
      fenLiuPost(17, { reviewed: 1, approved: 0, reviewed_at: "2026-10-02 10:00:00" }),
      fenLiuPost(18, { approved: 0, reviewed_at: "2026-10-02 10:00:00", auto_reject_reason: "blocked_user" }),
      fenLiuPost(19, { ...approved(null), stream_id: null }),
      fenLiuPost(20, {
        ...approved("pending"),
        url: "https://pleroma.example/notice/AbC",
        author_url: "https://pleroma.example/users/p",
      }),
      // The same post as 15, fetched from another server.
      fenLiuPost(21, { ...approved("pending"), url: fenLiuPost(15)["url"] ?? null }),
      fenLiuPost(22, { url: null }),
      fenLiuPost(23, {
        ...approved("pending"),
        author_username: "opted",
        author_url: "https://birds.example/@opted",
      }),
      fenLiuPost(24, {
        ...approved("pending"),
        author_username: "blocked",
        author_url: "https://birds.example/@blocked",
      }),
      fenLiuPost(25, { content: "<p>Please #nobot</p>", hashtags: '["nobot"]' }),
      fenLiuPost(26, { ...approved(null), curated_exported: 1, export_date: "2026-10-05 00:00:00" }),
    ],
    review_feedback: [
      { post_id: 90, decision: "rejected", created_at: "2026-09-01 00:00:00" },
      { post_id: 95, decision: "approved", created_at: "2026-09-01 00:00:00" },
    ],
    blocked_users: [
      { account_identifier: "@spam.example", pattern_type: "suffix", notes: "only spam" },
      { account_identifier: "x", pattern_type: "contains", notes: null },
    ],
    blocked_hashtags: [{ hashtag: "Lotto", notes: "luck" }],
    topical_hashtags: [
      { hashtag: "mondaybirds", topical_day_of_week: 0 },
      { hashtag: "xmas", topical_month_day: "12-24" },
    ],
    app_settings: [
      { key: "require_alt_text", value: "false" },
      { key: "auto_reject_bots", value: "true" },
      { key: "theme", value: "dark" },
    ],
    queue_stats: [{ total_deleted_delivered: 40, total_deleted_reserved: 1, total_deleted_pending: 2 }],
    error_history: [{ error_reason: "gone", deleted_at: "2026-09-01 00:00:00" }],
  });

const entryOf = (post_id: number) => db.queue_entry.findUniqueOrThrow({ where: { post_id } });
const stateOf = async (post_id: number) => (await db.queue_entry.findUnique({ where: { post_id } }))?.state;

test("a broken file gives a sentence, and changes nothing", async () => {
  const refused = async (copy: string, sentence: RegExp) => {
    await expect(importFenLiu(copy)).rejects.toThrow(sentence);
    expect(await db.stream.count()).toBe(0);
  };
  const altered = (sql: string) => {
    const copy = makeFenLiuFile({ hashtag_streams: [fenLiuStream], posts: [] });
    const database = new DatabaseSync(copy);
    database.exec(sql);
    database.close();
    return copy;
  };
  const cut = makeFenLiuFile({ posts: Array.from({ length: 500 }, (_, i) => fenLiuPost(i + 1)) });
  truncateSync(cut, 40_000);
  await refused(cut, /^The file (is damaged|cannot be read|is not an SQLite database)/);
  await refused(altered("DROP TABLE posts"), /^The file is not a database of FenLiu/);
  await refused(altered("ALTER TABLE posts DROP COLUMN queue_status"), /^The file cannot be read/);
  await refused(altered("UPDATE hashtag_streams SET id = 3000000000"), /^The file has ids above/);
});

test("a dry run reports as the import does, and changes nothing", async () => {
  await db.reported_opt_out.create({ data: { author_key: "opted@birds.example", reason: "asked" } });
  await db.blocked_user.create({
    data: { account_identifier: "blocked@birds.example", pattern_type: "exact" },
  });
  const file = full();
  const dry = await importFenLiu(file, { dryRun: true });
  expect(await db.post.count()).toBe(0);
  expect(await db.stream.count()).toBe(0);
  const result = await importFenLiu(file);
  expect(dry).toEqual(result);
  expect(result).toMatchObject({
    streams: 2,
    posts: { unreviewed: 1, pending: 7, reserved: 1, delivered: 2, error: 1, rejected: 2 },
    merged: 1,
    unverifiable: 1,
    settings: { blocked_users: 1, blocked_hashtags: 1, topical_hashtags: 2, switches: 2 },
  });
  expect(result.skipped.map(({ table, id }) => `${table} ${id}`)).toEqual([
    "blocked_users 2",
    "app_settings 0",
    "posts 22",
    "posts 25",
  ]);
  expect(result.skipped.at(-1)?.reason).toBe("refusal_tag_on_post");
});

test("streams keep their ids and schedules, and only active ones are fetched", async () => {
  expect(await db.stream.findMany({ orderBy: { id: "asc" } })).toMatchObject([
    {
      id: 1,
      hashtag: "birds",
      active: true,
      fetch_interval_minutes: 30,
      next_scheduled_fetch: new Date("2030-01-01T00:00:00Z"),
    },
    { id: 7, hashtag: "Owls", active: false, next_scheduled_fetch: null },
  ]);
});

test("block lists, topical rules and switches are taken", async () => {
  expect(await db.blocked_user.findMany({ where: { pattern_type: "suffix" } })).toMatchObject([
    { account_identifier: "@spam.example", notes: "only spam" },
  ]);
  expect(await db.blocked_hashtag.findMany()).toMatchObject([{ hashtag: "Lotto", notes: "luck" }]);
  expect(await db.topical_tag.findMany({ orderBy: { id: "asc" } })).toMatchObject([
    { hashtag: "mondaybirds", day_of_week: 1 },
    { hashtag: "xmas", month_day: "12-24" },
  ]);
  expect(await switches.read()).toMatchObject({
    auto_reject_bots: true,
    require_alt_text: false,
  });
});

test("posts keep ids, states and times", async () => {
  expect(await db.post.findUnique({ where: { id: 15 } })).toMatchObject({
    uri: "https://birds.example/users/author15/statuses/1015",
    author_account: "@author15@birds.example",
    fetched_at: new Date("2026-10-01T09:00:00.123Z"),
    reviewed_at: new Date("2026-10-02T10:00:00Z"),
    approved: true,
    stream_id: 1,
  });
  expect(await entryOf(15)).toMatchObject({
    state: "delivered",
    delivered_at: new Date("2026-10-03T12:00:00Z"),
  });
  expect(await entryOf(16)).toMatchObject({ state: "error", error_reason: "Duplicate attachment" });
  expect(await db.post.findUnique({ where: { id: 18 } })).toMatchObject({
    approved: false,
    auto_reject_reason: "blocked_user",
  });
  expect(await db.post.findUnique({ where: { id: 19 } })).toMatchObject({ approved: true, stream_id: null });
  expect(await entryOf(26)).toMatchObject({
    state: "delivered",
    delivered_at: new Date("2026-10-05T00:00:00Z"),
  });
  expect(await db.post_event.findFirst({ where: { post_id: 11, action: "import" } })).toMatchObject({
    actor: "FenLiu",
    details: { fenliu_post_id: 11 },
  });
});

test("the queue has FenLiu's order: by microseconds of the review, those without last", async () => {
  const rows = await db.queue_entry.findMany({
    where: { state: "pending", post_id: { in: [11, 12, 13] } },
    orderBy: [{ approved_at: "asc" }, { post_id: "asc" }],
  });
  expect(rows.map(({ post_id }) => post_id)).toEqual([12, 11, 13]);
});

test("every waiting post is held until its server has shown it, also without CONFIRM_WITHIN_HOURS", async () => {
  const waiting = await db.queue_entry.findMany({ where: { state: "pending" } });
  expect(waiting.every(({ holds }) => (holds & (holdBits.unconfirmed | holdBits.unverifiable)) > 0)).toBe(
    true,
  );
  const [{ early } = { early: false }] = await db.$queryRaw<{ early: boolean }[]>`
    SELECT bool_and(confirmed_at <= confirmed_since(0)) AS early FROM queue_entry`;
  expect(early).toBe(true);
  const { holds } = await entryOf(20);
  expect(holds & holdBits.unverifiable).toBeGreaterThan(0);
  expect(await db.source_check.findMany({ where: { post_id: 20 } })).toMatchObject([
    { post_id: 20, host: "pleroma.example" },
  ]);
});

test("opt-outs and blocks of the installation hold imported posts", async () => {
  expect((await entryOf(23)).holds & holdBits["opt-out reported"]).toBeGreaterThan(0);
  expect((await entryOf(24)).holds & holdBits.blocked_user).toBeGreaterThan(0);
});

test("figures count the imported posts", async () => {
  await compactTally(new Date(Date.now() + 10_000));
  expect((await getStats()).all_time).toMatchObject({ fetched: 14, approved: 11, delivered: 2, errors: 1 });
  expect(await sumsOf("level")).toMatchObject({
    unreviewed: 1,
    approved: 11,
    delivered: 2,
    reserved: 1,
    error: 1,
    pending: 7,
  });
});

test("of a post that FenLiu stored twice the delivered one stays", async () => {
  const key = await makeKey();
  const read = (id: number) =>
    call<{ id: number }>(getPost, { path: `/api/v1/posts/${id}`, params: { id: String(id) }, key });
  expect((await read(15)).json.id).toBe(15);
  expect(await stateOf(15)).toBe("delivered");
  for (const id of [5, 21, 22, 95]) expect((await read(id)).status).toBe(404);
});

test("a consumer acknowledges a post that FenLiu reserved for it", async () => {
  const key = await makeKey({ scopes: ["consume"] });
  const ack = (id: number) =>
    call(postAck, {
      method: "POST",
      path: `/api/v1/curated/${id}/ack`,
      params: { post_id: String(id) },
      key,
    });
  expect((await ack(14)).status).toBe(204);
  expect(await stateOf(14)).toBe("delivered");
  expect((await ack(95)).status).toBe(404);
});

test("new posts have ids above all ids of FenLiu, deleted ones included", async () => {
  const { id } = await makePost();
  expect(id).toBeGreaterThan(95);
});

test("an installation with posts is refused, also after an import", async () => {
  const before = await db.post.count();
  const file = full();
  await expect(importFenLiu(file)).rejects.toThrow("This installation has posts");
  await expect(importFenLiu(`${file}-missing`)).rejects.toThrow("does not exist");
  expect(await db.post.count()).toBe(before);
});
