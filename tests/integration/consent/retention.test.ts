import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { KeptDays } from "#lib/collect/retention-schema.ts";
import { countExpired, retention, updateRetention } from "#lib/collect/retention.ts";
import { cleanUpNow } from "#lib/runtime/jobs/cleanup.ts";
import { ingest, postOf, status, target } from "#tests/integration/streams/ingest-samples.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { outcome, sender } from "#tests/setup/operations.ts";

const admin = await makeKey();
const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);

const send = sender({ key: admin });
const wanted = async (change: object) => parse(KeptDays, { ...(await retention.read()), ...change }, "body");
const put = (change: object) => outcome(async () => updateRetention(servicePrincipal, await wanted(change)));
const clean = (deadline = new Date(Date.now() + 20_000)) => cleanUpNow({ deadline });

const rejected = (days: number, data = {}) =>
  makePost({ approved: false, reviewed_at: ago(days), fetched_at: ago(days + 1), ...data });
const unreviewed = (days: number, data = {}) =>
  makePost({ fetched_at: ago(days), updated_at: ago(days), ...data });
async function failed(days: number) {
  const post = await makePending({}, ago(days + 1));
  await db.queue_entry.update({
    where: { post_id: post.id },
    data: { state: "error", error_reason: "no", errored_at: ago(days) },
  });
  return post;
}
const left = async (...posts: { id: number }[]) =>
  Promise.all(posts.map(async ({ id }) => (await db.post.count({ where: { id } })) === 1));

beforeEach(async () => {
  await db.post.deleteMany();
  await db.audit_event.deleteMany();
  await db.setting.update({
    where: { name: "retention" },
    data: {
      value: { rejected_days: 90, unreviewed_days: null, failed_days: null, history_days: null },
    },
  });
});

describe("the days that the history of deleted posts is kept", () => {
  const line = (post_id: number, days: number) =>
    db.post_event.create({
      data: { post_id, at: ago(days), actor: "Ann", source: "screen", action: "approve" },
    });
  const linesOf = async (post_id: number) => db.post_event.count({ where: { post_id } });
  const GONE = 1_000_001;

  test("are unlimited until an admin sets them, and are counted before they act", async () => {
    await db.post_event.deleteMany();
    const stored = await unreviewed(1);
    await line(stored.id, 200);
    for (const days of [200, 102, 100, 5]) await line(GONE, days);
    // A batch.
    await line(0, 200);
    expect(await clean()).toEqual({ deleted: 0 });
    expect(await countExpired(await wanted({ history_days: 101 }))).toEqual({
      rejected: 0,
      unreviewed: 0,
      failed: 0,
      history: 3,
    });
    expect(await clean()).toEqual({ deleted: 0 });
    expect(await linesOf(GONE)).toBe(4);
    await put({ history_days: 101 });
    expect(await clean()).toEqual({ deleted: 0 });
    expect([await linesOf(GONE), await linesOf(stored.id), await linesOf(0)]).toEqual([2, 1, 0]);
    expect(await db.audit_event.findMany({ where: { action: "posts.cleanup" } })).toMatchObject([
      { subject: "history of deleted posts older than 101 days", after: { deleted: 3 } },
    ]);
  });

  test("change no figure and no page of a stored post; the log begins later", async () => {
    await db.post_event.deleteMany();
    const stored = await unreviewed(1);
    await line(stored.id, 200);
    await line(GONE, 200);
    await line(GONE, 5);
    const page = async () => (await send(`GET posts/${stored.id}`)).json;
    const figures = async () => [await sumsOf("total"), await sumsOf("level"), await sumsOf("host")];
    const log = async () =>
      (await send<{ items: { post_id: number }[] }>("GET audit?action=decisions")).json.items.map(
        ({ post_id }) => post_id,
      );
    const before = [await page(), await figures()];
    expect(await log()).toEqual([GONE, GONE, stored.id]);
    await put({ history_days: 92 });
    await clean();
    expect([await page(), await figures()]).toEqual(before);
    expect(await log()).toEqual([GONE, stored.id]);
  });
});

describe("the days that posts are kept", () => {
  test("are counted before they act, and a dry run stores nothing", async () => {
    await rejected(40);
    await rejected(40, { auto_reject_reason: "bot" });
    await unreviewed(40);
    await unreviewed(20);
    await failed(40);
    expect(await retention.read()).toMatchObject({ rejected_days: 90, unreviewed_days: null });
    expect(await clean()).toEqual({ deleted: 0 });
    expect((await put({ rejected_days: 0 })).status).toBe(422);
    const change = { rejected_days: 30, unreviewed_days: 30, failed_days: 30 };
    const counted = await countExpired(await wanted(change));
    expect(counted).toMatchObject({ rejected: 2, unreviewed: 1, failed: 1 });
    expect(await countExpired(await retention.read())).toMatchObject({ rejected: 0, unreviewed: 0 });
    expect(await db.audit_event.count()).toBe(0);
    await put(change);
    expect(
      await db.audit_event.findMany({ select: { action: true, before: true, after: true } }),
    ).toMatchObject([
      {
        action: "retention.update",
        before: { rejected_days: 90, unreviewed_days: null, failed_days: null },
        after: change,
      },
    ]);
    await put(change);
    expect(await db.audit_event.count()).toBe(1);
    expect(await clean()).toEqual({ deleted: 4 });
    expect(
      await db.audit_event.findMany({ where: { action: "posts.cleanup" }, orderBy: { id: "asc" } }),
    ).toMatchObject([
      { subject: "rejected posts older than 30 days", after: { deleted: 2 } },
      { subject: "unreviewed posts older than 30 days", after: { deleted: 1 } },
      { subject: "failed posts older than 30 days", after: { deleted: 1 } },
    ]);
  });

  test("begin again when a post returns to review, and do not end on somebody's desk", async () => {
    await put({ unreviewed_days: 30 });
    const back = await unreviewed(40, { updated_at: ago(2) });
    const onDesk = await unreviewed(40);
    await db.review_lease.create({
      data: { post_id: onDesk.id, holder: "m1", expires_at: new Date(Date.now() + DAY) },
    });
    expect(await countExpired(await retention.read())).toMatchObject({ unreviewed: 0 });
    await clean();
    expect(await left(back, onDesk)).toEqual([true, true]);
  });

  test("do not bring a post back: its tombstone stays and the figures of all time too", async () => {
    const stream = await target();
    const sent = status();
    await ingest(stream, [sent]);
    const { id } = await postOf(sent);
    await db.post.update({ where: { id }, data: { approved: false, reviewed_at: ago(91) } });
    await clean();
    expect(await ingest(stream, [sent])).toMatchObject({ new: 0, duplicates: 1 });
    expect(await db.$queryRaw`SELECT reason FROM tombstone WHERE uri_hmac = uri_hmac(${sent.uri})`).toEqual([
      { reason: "rejected" },
    ]);
    const figures = [await sumsOf("level", stream.id), (await sumsOf("total", stream.id))["fetched"]];
    expect(figures).toEqual([{}, 1]);
  });

  test("are applied in batches, skip a post that is being decided, and go on after the deadline", async () => {
    const first = await rejected(100);
    await db.$executeRaw`
      INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
      SELECT 'https://many.example/' || n, 'a', '@a@many.example', 'a@many.example', 'many.example', now(), false,
             now() - interval '95 days' FROM generate_series(1, 2100) n`;
    await db.installation.updateMany({ data: { last_cleanup_at: null } });
    expect(await clean(new Date(Date.now() - 1))).toEqual({ deleted: 0 });
    expect((await db.installation.findFirstOrThrow()).last_cleanup_at).toBeNull();
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM post WHERE id = ${first.id} FOR UPDATE`;
      expect(await clean()).toEqual({ deleted: 2100 });
    });
    expect(await left(first)).toEqual([true]);
    expect(await clean()).toEqual({ deleted: 1 });
  });
});
