import { beforeEach, describe, expect, test } from "vitest";
import { GET as getErrors } from "#app/api/v1/stats/errors/route.ts";
import { db } from "#lib/db.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { makePending } from "#tests/setup/factories.ts";
import { ago, forgetEverything, move, readStats } from "./stats-moves.ts";

beforeEach(forgetEverything);

describe("GET /stats/errors", () => {
  const errors = () => readStats<ErrorStats>(getErrors, "/stats/errors");

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
      },
      {
        reason: "Other",
        count: 1,
        first_at: at(2).toISOString(),
        last_at: at(2).toISOString(),
        post_ids: [posts[1]!.id],
      },
    ]);
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
