import { beforeAll, describe, expect, test } from "vitest";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { POST as fail } from "#app/api/v1/curated/[post_id]/error/route.ts";
import { POST as markDelivered } from "#app/api/v1/curated/[post_id]/mark-delivered/route.ts";
import { POST as nack } from "#app/api/v1/curated/[post_id]/nack/route.ts";
import { POST as requeue } from "#app/api/v1/curated/[post_id]/requeue/route.ts";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { GET as getAuthor } from "#app/api/v1/authors/[account]/route.ts";
import { DELETE as deletePost, PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { GET as getStreams } from "#app/api/v1/streams/route.ts";
import { sleep } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { countDropped } from "#lib/ingest/sql.ts";
import type { Author } from "#lib/review/author-schema.ts";
import { addDays, type Overview } from "#lib/stats/overview-schema.ts";
import type { Stats } from "#lib/stats/schema.ts";
import { bucketOf } from "#lib/stats/wait-buckets.ts";
import type { Stream } from "#lib/streams/schema.ts";
import type { post, queue_entry } from "#prisma/generated/client.ts";
import { makeKey, makeMember, makePost, makeStream } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

/*
 * Recomputes the figures of the statistics from the rows of posts, queue and history, and compares them with API and
 * CSV. Posts are inserted; everything else happens through the API, in an order that a seed chooses.
 */

const SEED = 20_261_124;
const HOUR = 3_600_000;
const POSTS = 90;
const MOVES = 260;
const LANGUAGES = ["en", "de", null];

/** mulberry32 */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

interface Kept {
  row: post;
  entry: queue_entry | null;
  deleted: boolean;
}

const random = generator(SEED);
const today = new Date().toISOString().slice(0, 10);
const range = { from: addDays(today, -6), to: today };
const dayOf = (time: Date | null) => time?.toISOString().slice(0, 10) ?? "";
const isIn = (time: Date | null) => dayOf(time) >= range.from && dayOf(time) <= range.to;
const count = <T>(items: readonly T[], where: (item: T) => boolean) => items.filter(where).length;
const percent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;

const ids: number[] = [];
const deleted: Kept[] = [];
const dropped = { noindex: 4, boost: 2 };
let admin: string;
let bots: string[];
let reviewers: string[];
let all: Kept[];
let overview: Overview;

async function send(handler: RouteHandler, key: string, id: number | null, method = "POST", body?: unknown) {
  const params: Record<string, string> = id === null ? {} : { id: String(id), post_id: String(id) };
  return call(handler, { method, path: "/api/v1/x", key, params, ...(body === undefined ? {} : { body }) });
}

async function keep(id: number): Promise<void> {
  const row = await db.post.findUnique({ where: { id } });
  if (!row) return;
  const entry = await db.queue_entry.findUnique({ where: { post_id: id } });
  if ((await send(deletePost, admin, id, "DELETE")).status === 204)
    deleted.push({ row, entry, deleted: true });
}

async function failedPost(): Promise<number> {
  const failed = await db.queue_entry.findMany({ where: { state: "error" }, orderBy: { post_id: "asc" } });
  return failed[random(Math.max(1, failed.length))]?.post_id ?? 0;
}

async function move(): Promise<void> {
  const id = ids[random(ids.length)] ?? 0;
  const who = reviewers[random(reviewers.length)] ?? "";
  const bot = bots[random(bots.length)] ?? "";
  const decision = random(3) === 0 ? "reject" : "approve";
  const approved = random(4) === 0 ? null : decision === "approve";
  switch (random(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      // The desk: a second decision about a decided post is refused.
      await send(decide, who, null, "POST", {
        decisions: [{ id: crypto.randomUUID(), post_id: id, decision }],
      });
      return;
    case 4:
    case 5:
      await send(patchPost, who, id, "PATCH", { approved });
      return;
    case 6:
    case 7:
    case 8: {
      const item = await call<{ fenliu_post_id: number } | null>(next, {
        path: "/api/v1/curated/next",
        key: bot,
      });
      if (item.status !== 200 || item.json === null) return;
      const post = item.json.fenliu_post_id;
      const outcome = random(6);
      if (outcome < 3) await send(ack, bot, post);
      if (outcome === 3) await send(nack, bot, post);
      if (outcome === 4) await send(fail, bot, post, "POST", { reason: `reason ${random(2)}` });
      return;
    }
    case 9:
      await send(random(3) === 0 ? markDelivered : requeue, admin, await failedPost());
      return;
    case 10:
      await send(ack, bot, id);
      return;
    default:
      if (random(3) === 0) await keep(id);
  }
}

beforeAll(async () => {
  // An hour of the database must not end during the test.
  const left = HOUR - (Date.now() % HOUR);
  if (left < 60_000) await sleep(left);
  const member = await makeMember();
  admin = await makeKey({ created_by: member.id });
  bots = [await makeKey({ scopes: ["consume"] }), await makeKey({ scopes: ["consume"] })];
  reviewers = [await makeKey({ scopes: ["review"] }), await makeKey({ scopes: ["review"] })];
  const streams = [(await makeStream()).id, (await makeStream()).id, null];
  for (let n = 0; n < POSTS; n++) {
    const fetched_at = new Date(Date.now() - random(9 * 24) * HOUR);
    const byFilter = random(6) === 0;
    const row = await makePost({
      author_username: `author${random(12)}`,
      instance: `host${random(3)}.example`,
      language: LANGUAGES[random(3)] ?? null,
      stream_id: streams[random(3)] ?? null,
      fetched_at,
      created_at: new Date(fetched_at.getTime() - random(40) * HOUR),
      ...(byFilter ? { approved: false, reviewed_at: fetched_at, auto_reject_reason: "blocked_user" } : {}),
    });
    ids.push(row.id);
  }
  for (const [reason, n] of Object.entries(dropped))
    await countDropped(
      db,
      new Map(Array.from({ length: n }, (_, i) => [`https://host.example/${reason}/${i}`, reason])),
    );
  for (let n = 0; n < MOVES; n++) await move();

  const rows = await db.post.findMany();
  const entries = new Map((await db.queue_entry.findMany()).map((entry) => [entry.post_id, entry]));
  all = [...rows.map((row) => ({ row, entry: entries.get(row.id) ?? null, deleted: false })), ...deleted];
  const query = `from=${range.from}&to=${range.to}`;
  overview = (await call<Overview>(getOverview, { path: `/api/v1/stats/overview?${query}`, key: admin }))
    .json;
}, 240_000);

/** An approval after a rejection by a filter keeps the filter's reason. */
const byFilter = ({ row }: Kept) => row.approved === false && row.auto_reject_reason !== null;
const byPeople = (one: Kept) => one.row.approved !== null && !byFilter(one);
const reviewedIn = () => all.filter(({ row }) => row.approved !== null && isIn(row.reviewed_at));
const decidedIn = () => reviewedIn().filter(byPeople);

/** Median of the definition: nearest rank, within the bucket. */
function expectMedian(waits: number[], shown: { count: number; p50: number | null }): void {
  expect(shown.count).toBe(waits.length);
  if (waits.length === 0) return expect(shown.p50).toBeNull();
  const sorted = waits.toSorted((a, b) => a - b);
  const median = sorted[Math.max(1, Math.ceil(sorted.length / 2)) - 1] ?? 0;
  expect(Math.abs(bucketOf(shown.p50 ?? 0) - bucketOf(median))).toBeLessThanOrEqual(1);
}

const refusedDecision = { kind: "decision", details: { path: ["result"], equals: "conflict" } } as const;

describe(`after a history with the seed ${SEED}`, () => {
  test("the history has every kind of event", async () => {
    const actions = await db.post_event.groupBy({ by: ["action"], _count: true });
    expect(actions.map((row) => row.action)).toEqual(
      expect.arrayContaining([
        "approve",
        "reject",
        "unreview",
        "ack",
        "nack",
        "error",
        "requeue",
      ]) as string[],
    );
    expect(deleted.length).toBeGreaterThan(2);
    expect(await db.change.count({ where: refusedDecision })).toBeGreaterThan(5);
  });

  test("totals and approval rates", async () => {
    const events = await db.post_event.findMany({
      where: { action: { in: ["ack", "mark_delivered", "error", "nack"] } },
    });
    const happened = (...actions: string[]) =>
      count(events, ({ action, at }) => actions.includes(action) && isIn(at));
    const approved = count(reviewedIn(), ({ row }) => row.approved === true);
    const totals = {
      fetched: count(all, ({ row }) => isIn(row.fetched_at)),
      reviewed: reviewedIn().length,
      decided: decidedIn().length,
      approved,
      rejected: count(reviewedIn(), ({ row }) => row.approved === false),
      auto_rejected: count(reviewedIn(), (one) => !byPeople(one)),
      approval_rate: percent(approved, decidedIn().length),
      delivered: happened("ack", "mark_delivered"),
      errors: happened("error"),
      nacks: happened("nack"),
    };
    expect(overview.totals.current).toMatchObject(totals);

    const { json: stats } = await call<Stats>(getStats, { path: "/api/v1/stats", key: admin });
    const stored = all.filter((one) => !one.deleted);
    const everDecided = all.filter(byPeople);
    expect(stats).toMatchObject({
      total_posts: stored.length,
      unreviewed_posts: count(stored, ({ row }) => row.approved === null),
      approval_rate: percent(
        count(stored, ({ row }) => row.approved === true),
        stored.length,
      ),
      approval_rate_of_decisions: percent(
        count(everDecided, ({ row }) => row.approved === true),
        everDecided.length,
      ),
    });
  });

  test("streams, hosts, languages, reviewers and authors", async () => {
    const { json: listed } = await call<{ items: Stream[] }>(getStreams, {
      path: "/api/v1/streams",
      key: admin,
    });
    const rateOf = (some: Kept[]) =>
      percent(
        count(some, ({ row }) => row.approved === true),
        some.length,
      );
    const approvedOf = (some: Kept[]) => count(some, ({ row }) => row.approved === true);
    for (const stream of overview.streams) {
      const isOwn = ({ row }: Kept) => row.stream_id === stream.id;
      const decided = decidedIn().filter(isOwn);
      const figures = {
        fetched: count(all, (one) => isOwn(one) && isIn(one.row.fetched_at)),
        decided: decided.length,
        approved: approvedOf(decided),
        approval_rate: rateOf(decided),
      };
      expect(stream).toMatchObject(figures);
      const ever = all.filter((one) => isOwn(one) && byPeople(one));
      expect(listed.items.find(({ id }) => id === stream.id)?.approval_rate).toBe(rateOf(ever));
    }
    for (const host of overview.instances) {
      const decided = decidedIn().filter(({ row }) => row.instance === host.instance);
      expect(host).toMatchObject({ reviewed: decided.length, approval_rate: rateOf(decided) });
    }
    expect(overview.languages.length).toBe(3);
    for (const each of overview.languages) {
      const isOwn = ({ row }: Kept) => (row.language ?? "") === each.language;
      const decided = decidedIn().filter(isOwn);
      expect(each).toEqual({
        language: each.language,
        fetched: count(all, (one) => isOwn(one) && isIn(one.row.fetched_at)),
        decided: decided.length,
        approved: approvedOf(decided),
        approval_rate: rateOf(decided),
      });
    }
    for (const each of overview.reviewers) {
      const decided = decidedIn().filter(({ row }) => row.reviewed_by === each.reviewer);
      expect(each).toMatchObject({ reviewed: decided.length, approval_rate: rateOf(decided) });
    }
    for (const each of overview.authors.top) {
      const own = reviewedIn().filter(({ row }) => row.approved && `@${row.author_key}` === each.author);
      expect(each).toMatchObject({
        approved: own.length,
        share: percent(own.length, overview.authors.approved),
      });
    }
    const top = overview.authors.top[0]?.author ?? "";
    const params = { account: top.slice(1) };
    const { json: author } = await call<Author>(getAuthor, { path: "/api/v1/x", key: admin, params });
    const own = all.filter((one) => !one.deleted && `@${one.row.author_key}` === top);
    expect(author).toMatchObject({
      posts: own.length,
      approved: approvedOf(own),
      auto_rejected: count(own, byFilter),
    });
  });

  test("outcomes count each found post once, and their steps add up", () => {
    const { outcomes } = overview;
    const found = all.filter(({ row }) => isIn(row.fetched_at));
    const skipped = dropped.noindex + dropped.boost;
    const stateOf = ({ row, entry, deleted: isGone }: Kept) => {
      if (row.approved === null) return isGone ? "deleted" : "unreviewed";
      if (!row.approved) return row.auto_reject_reason === null ? "rejected" : "auto_rejected";
      if (entry?.state === "delivered") return "delivered";
      if (entry?.state === "error") return "failed";
      return isGone ? "removed" : "waiting";
    };
    const of = (state: string) => count(found, (one) => stateOf(one) === state);
    const leaves = [
      "unreviewed",
      "deleted",
      "rejected",
      "auto_rejected",
      "delivered",
      "failed",
      "removed",
      "waiting",
    ];
    expect(outcomes).toEqual({
      ...Object.fromEntries(leaves.map((state) => [state, of(state)])),
      approved: count(found, ({ row }) => row.approved === true),
      unknown: 0,
      stored: found.length,
      not_stored: skipped,
      found: found.length + skipped,
    });
    expect(outcomes.found).toBe(outcomes.not_stored + outcomes.stored);
    const { unreviewed, deleted: gone, auto_rejected, rejected, approved, unknown } = outcomes;
    expect(outcomes.stored).toBe(unreviewed + gone + auto_rejected + rejected + approved + unknown);
    expect(approved).toBe(outcomes.waiting + outcomes.delivered + outcomes.failed + outcomes.removed);
  });

  test("arrivals and decisions by hour of the week", async () => {
    const slotOf = (time: Date) => ((time.getUTCDay() + 6) % 7) * 24 + time.getUTCHours();
    const acks = await db.post_event.findMany({ where: { action: { in: ["ack", "mark_delivered"] } } });
    expect(overview.hours).toHaveLength(168);
    overview.hours.forEach((each, slot) => {
      const inSlot = (time: Date | null) => time !== null && isIn(time) && slotOf(time) === slot;
      const arrived =
        count(all, ({ row }) => inSlot(row.fetched_at)) -
        count(all, (one) => byFilter(one) && inSlot(one.row.reviewed_at));
      const decisions = count(decidedIn(), ({ row }) => slotOf(row.reviewed_at ?? new Date(0)) === slot);
      const deliveries = count(acks, ({ at }) => isIn(at) && slotOf(at) === slot);
      expect(each).toEqual({
        weekday: Math.floor(slot / 24),
        hour: slot % 24,
        arrivals: arrived,
        decisions,
        deliveries,
      });
    });
  });

  test("rejections by day and reason", () => {
    expect(overview.rejections.map((day) => day.date)).toEqual(
      Array.from({ length: 7 }, (_, back) => addDays(range.from, back)),
    );
    for (const { date, by_reviewers, by_filters } of overview.rejections) {
      const day = reviewedIn().filter(({ row }) => row.approved === false && dayOf(row.reviewed_at) === date);
      expect(by_reviewers).toBe(count(day, byPeople));
      const filtered = count(day, byFilter);
      expect(by_filters).toEqual(filtered === 0 ? [] : [{ reason: "blocked_user", count: filtered }]);
    }
  });

  test("agreement of reviewers", async () => {
    const decisions = await db.post_event.findMany({
      where: { action: { in: ["approve", "reject", "unreview"] } },
      orderBy: { id: "asc" },
    });
    const standing = new Map<number, { actor: string; action: string }>();
    let [same, different, taken_back] = [0, 0, 0];
    const refused = await db.change.findMany({ where: refusedDecision });
    const keys = new Map((await db.api_key.findMany()).map((key) => [key.id, key.name]));
    const all_ = [
      ...decisions.map((event) => ({ ...event, holder: event.actor, isRefused: false })),
      ...refused.map(({ at, api_key_id, details }) => {
        const { post_id, decision: action } = details as { post_id: number; decision: string };
        return { at, post_id, action, holder: keys.get(api_key_id ?? 0) ?? "", isRefused: true };
      }),
    ].sort((a, b) => a.at.getTime() - b.at.getTime());
    for (const { post_id, action, holder, isRefused } of all_) {
      const before = standing.get(post_id);
      if (isRefused) {
        if (!before || before.actor === holder) continue;
        if (before.action === action) same++;
        else different++;
        continue;
      }
      if (before && action === "unreview") taken_back++;
      else if (before && before.actor !== holder && before.action !== action) different++;
      if (action === "unreview") standing.delete(post_id);
      else standing.set(post_id, { actor: holder, action });
    }
    expect(overview.agreement).toMatchObject({
      same,
      different,
      taken_back,
      share: percent(same, same + different),
    });
    expect(same).toBeGreaterThan(0);
    expect(different).toBeGreaterThan(0);
  });

  test("bots: deliveries, errors, age and last request", async () => {
    const keys = new Map((await db.api_key.findMany()).map((key) => [key.id, key]));
    const events = await db.post_event.findMany({ where: { action: { in: ["ack", "error"] } } });
    const rows = new Map(all.map(({ row }) => [row.id, row]));
    expect(overview.bots.filter((bot) => bot.delivered > 0)).toHaveLength(2);
    for (const bot of overview.bots) {
      const own = events.filter((event) => event.api_key_id === bot.api_key_id && isIn(event.at));
      const delivered = own.filter((event) => event.action === "ack");
      const errors = own.length - delivered.length;
      expect(bot).toMatchObject({
        name: keys.get(bot.api_key_id)?.name,
        last_seen_at: keys.get(bot.api_key_id)?.last_asked_at?.toISOString() ?? null,
        delivered: delivered.length,
        deliveries_per_day: delivered.length,
        errors,
        error_share: percent(errors, own.length),
      });
      const ages = delivered.map(
        ({ at, post_id }) => (at.getTime() - (rows.get(post_id)?.created_at.getTime() ?? 0)) / 1000,
      );
      expectMedian(ages, bot.age);
    }
  });

  test("waiting times", () => {
    const seconds = (from: Date, to: Date | null) => ((to?.getTime() ?? 0) - from.getTime()) / 1000;
    expectMedian(
      decidedIn().map(({ row }) => seconds(row.fetched_at, row.reviewed_at)),
      overview.time_to_review.current,
    );
    const handed = all.filter(({ entry }) => entry?.state === "delivered" && isIn(entry.delivered_at));
    expectMedian(
      handed.map(({ entry }) => seconds(entry?.approved_at ?? new Date(0), entry?.delivered_at ?? null)),
      overview.time_to_delivery.current,
    );
  });

  test("the runway", () => {
    const { runway } = overview;
    const waiting = all.filter(({ entry, deleted: isGone }) => !isGone && entry?.state === "pending");
    const supply = count(waiting, ({ entry }) => entry?.not_before === null && entry.holds === 0);
    // All deliveries are of the present day.
    const perDay = overview.totals.current.delivered;
    expect(runway).toMatchObject({ pending: waiting.length, supply, deliveries_per_day: perDay });
    expect(runway.days).toBe(Math.round((supply / perDay) * 10) / 10);
  });
});
