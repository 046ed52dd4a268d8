import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as getDaily } from "#app/api/v1/stats/daily/route.ts";
import { GET as getErrors } from "#app/api/v1/stats/errors/route.ts";
import { db } from "#lib/db.ts";
import type { DailyStats, ErrorStats } from "#lib/stats/schema.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { ago, forgetEverything, move, readStats } from "./stats-moves.ts";

let key: string;

beforeAll(async () => {
  key = await makeKey({ scopes: ["read"] });
});

beforeEach(forgetEverything);

describe("GET /stats/errors", () => {
  const errors = () => readStats<ErrorStats>(getErrors, "/stats/errors");
  const quiet = Array.from({ length: 12 }, () => 0);

  test("groups failed posts by reason, the most frequent first, without requeued posts", async () => {
    expect(await errors()).toEqual({ groups: [], duplicates: [] });
    const posts = [];
    for (let i = 0; i < 4; i++) posts.push(await makePending());
    const yesterday = Date.parse(ago(24).toISOString().slice(0, 10));
    const at = (minute: number) => new Date(yesterday + minute * 60_000);
    await move(posts[0]!.id, "error", { error_reason: "Status not found", errored_at: at(1) });
    await move(posts[1]!.id, "error", { error_reason: "Other", errored_at: at(2) });
    await move(posts[2]!.id, "error", { error_reason: "Status not found", errored_at: at(3) });
    await move(posts[3]!.id, "error", { error_reason: "Status not found", errored_at: at(4) });
    await db.queue_entry.update({
      where: { post_id: posts[3]!.id },
      data: { state: "pending", error_reason: null, errored_at: null },
    });
    expect((await errors()).groups).toEqual([
      {
        reason: "Status not found",
        count: 2,
        first_at: at(1).toISOString(),
        last_at: at(3).toISOString(),
        post_ids: [posts[2]!.id, posts[0]!.id],
        trend: [...quiet, 3, 0],
      },
      {
        reason: "Other",
        count: 1,
        first_at: at(2).toISOString(),
        last_at: at(2).toISOString(),
        post_ids: [posts[1]!.id],
        trend: [...quiet, 1, 0],
      },
    ]);
  });

  test("counts reports of the last 14 days; long reasons are compared by their first 200 characters", async () => {
    const { id } = await makePending();
    const reason = "a long reason ".repeat(20);
    await move(id, "error", { error_reason: reason });
    const day = (back: number) =>
      new Date(
        ago(24 * back)
          .toISOString()
          .slice(0, 10),
      );
    const past = (back: number, n: number) =>
      db.figure.create({
        data: {
          ...{ dimension: "reason", grain: "day", metric: "errors", bucket: -1 },
          ...{ at: day(back), key: reason.slice(0, 200), n },
        },
      });
    await past(2, 5);
    await past(13, 7);
    await past(14, 9);
    expect((await errors()).groups[0]?.trend).toEqual([7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 1]);
  });

  test("lists reported duplicates with the consumer's details", async () => {
    const { id } = await makePending();
    const details = {
      error_type: "duplicate_attachment",
      match_type: "url",
      current_url: "https://a.example/1.jpg",
      current_dhash: null,
      matched_url: "https://b.example/1.jpg",
      matched_dhash: "ffd8c0a08060301c",
      matched_post_id: String(id),
      extra: { kept: true },
    };
    await move(id, "error", { error_reason: "Duplicate attachment detected", error_details: details });
    const other = await makePending();
    await move(other.id, "error", { error_details: { error_type: "nobot" } });
    expect((await errors()).duplicates).toEqual([{ post_id: id, error_details: details }]);
  });

  test("lists at most 200 reasons", async () => {
    for (let i = 0; i < 3; i++) await makePending();
    await db.$executeRaw`UPDATE queue_entry SET state = 'error', errored_at = now(), error_reason = 'first'`;
    await db.$executeRaw`
      INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
      SELECT 'https://e.example/' || n, 'e', '@e@e.example', 'e@e.example', 'e.example', now(), true, now()
        FROM generate_series(1, 300) n`;
    await db.$executeRaw`
      INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, author_key, errored_at, error_reason)
      SELECT id, 'error', now(), now(), 'e@e.example', now(), CASE WHEN id % 3 = 0 THEN 'often' ELSE 'reason ' || id END
        FROM post WHERE instance = 'e.example'`;
    const { groups } = await errors();
    expect(groups).toHaveLength(200);
    expect(groups[0]).toMatchObject({ reason: "often", count: 100 });
    expect(groups[0]!.post_ids).toHaveLength(50);
  });
});

describe("GET /stats/daily", () => {
  const daily = (query = "") => readStats<DailyStats>(getDaily, `/stats/daily${query}`);
  const zero = { fetched: 0, reviewed: 0, decided: 0, approved: 0, rejected: 0, delivered: 0, errors: 0 };

  test("returns 30 UTC days up to today, including empty ones", async () => {
    const { days } = await daily();
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), ...zero });
    expect(days.map((day) => day.date)).toEqual(days.map((day) => day.date).sort());
  });

  test.each(["0", "366", "-1", "1.5", "x", "", "1e2"])("refuses days=%s", async (days) => {
    const answer = await call(getDaily, { path: `/api/v1/stats/daily?days=${days}`, key });
    expect(answer.status).toBe(422);
    expect(answer.json["detail"]).toMatch(/^Validation error: days: must be/);
  });

  test("accepts 365 days", async () => {
    expect((await daily("?days=365")).days).toHaveLength(365);
  });
});
