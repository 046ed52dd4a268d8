import { afterEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import * as scoreSql from "#lib/checks/score/sql.ts";
import { makeStream } from "#tests/setup/factories.ts";
import { fetchNow, fetchToEnd, freshStream, skipPauses, streamRow, wanted } from "./stream-fetches.ts";

skipPauses();

const { mastodon, misskey } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({
    mastodon: { posts: 100 },
    misskey: { posts: 60, software: "misskey" },
  }),
);

afterEach(async () => {
  // Clears the waits of hosts for the next test.
  await db.host_state.updateMany({ data: { state: {} } });
});

const minutesUntil = (at: Date | null) => ((at?.getTime() ?? 0) - Date.now()) / 60_000;

describe("the first fetch", () => {
  test("fetches the newest posts up to the limit and returns its figures", async () => {
    const { id } = await freshStream(mastodon);
    const answer = await fetchNow(id, "?limit=7");
    expect(answer.status).toBe(200);
    const { json } = answer;
    expect(json).toMatchObject({ stream_id: id, new: 7, pages: 1, cursor_at_end: false });
    const dropped = Object.values(json.dropped).reduce((sum, n) => sum + n, 0);
    expect(json.seen).toBe(json.new + json.duplicates + dropped);

    const stored = await db.post.findMany({ where: { stream_id: id }, orderBy: { created_at: "desc" } });
    expect(stored).toHaveLength(7);
    expect(stored.every((post) => post.from_home === (post.instance === mastodon.host))).toBe(true);
    expect(stored.every((post) => post.classified_at !== null)).toBe(true);

    const row = await streamRow(id);
    expect(row).toMatchObject({ platform: "mastodon", last_error: null, error_count: 0, fetch_lease: null });
    expect(row.last_fetch).not.toBeNull();
    expect(row.behind_since).not.toBeNull();
    expect(minutesUntil(row.next_scheduled_fetch)).toBeGreaterThan(0.9);
    expect(minutesUntil(row.next_scheduled_fetch)).toBeLessThan(1.1);
    expect(await db.fetch_run.findMany({ where: { stream_id: id } })).toMatchObject([
      { seen: json.seen, new: 7, pages: 1, error: null, dropped: json.dropped },
    ]);
  });

  test("is no failure when earlier copies of its texts cannot be checked again", async () => {
    vi.spyOn(scoreSql, "scoreCopiesAgain").mockRejectedValueOnce(new Error("deadlock detected"));
    const { id } = await freshStream(mastodon);
    expect(await fetchNow(id, "?limit=7")).toMatchObject({ status: 200, json: { new: 7 } });
    expect(await streamRow(id)).toMatchObject({ last_error: null, fetch_lease: null });
  });

  test("makes progress with every call until all posts are stored", async () => {
    const { id } = await freshStream(mastodon);
    for (let end = false; !end;) {
      const { json } = await fetchNow(id, "?limit=30");
      end = json.cursor_at_end;
      if (!end) expect(json.new).toBe(30);
    }
    expect(await db.post.count()).toBe(wanted(mastodon));
    expect(await fetchNow(id)).toMatchObject({ json: { new: 0, cursor_at_end: true } });
    const row = await streamRow(id);
    expect(row.behind_since).toBeNull();
    expect(minutesUntil(row.next_scheduled_fetch)).toBeGreaterThan(56);
    expect(minutesUntil(row.next_scheduled_fetch)).toBeLessThan(64);
  });
});

describe("refusals", () => {
  test("for an inactive or busy stream", async () => {
    const inactive = await makeStream({ active: false });
    expect(await fetchNow(inactive.id)).toMatchObject({
      status: 409,
      json: { detail: `Stream ${inactive.id} is inactive` },
    });
    const busy = await makeStream();
    await db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + interval '1 minute' WHERE id = ${busy.id}`;
    expect((await fetchNow(busy.id)).status).toBe(409);
  });
});

describe("later posts", () => {
  test("are fetched without a gap", async () => {
    const { id } = await freshStream(mastodon);
    await fetchToEnd(id);
    mastodon.control.arrive(95);
    await fetchToEnd(id, "?limit=50");
    expect(await db.post.count()).toBe(wanted(mastodon));
  });

  test("an author who refuses without a stored post is forgotten, and the reported opt-out is confirmed", async () => {
    const { id } = await freshStream(mastodon);
    await fetchToEnd(id);
    const delivered = mastodon.control.addPost({ hashtags: ["cats"] }, "text");
    await fetchNow(id, "?limit=1");
    const post = await db.post.findFirstOrThrow({ where: { uri: { contains: delivered.id } } });
    const author_key = post.author_key;
    await db.reported_opt_out.create({ data: { author_key, reason: "nobot" } });
    await db.$executeRaw`SELECT delete_posts(ARRAY(SELECT id FROM post WHERE author_key = ${author_key}), 'cleanup')`;
    mastodon.control.optOut(delivered.author.username);
    mastodon.control.addPost({ hashtags: ["cats"], author: delivered.author }, "text");
    await fetchNow(id, "?limit=5");
    delivered.author.bio = delivered.author.bio.replace(/ ?#nobot/, "");
    expect(await db.reported_opt_out.findUnique({ where: { author_key } })).toMatchObject({
      resolution: "confirmed",
    });
    expect(await db.blocked_user.count({ where: { account_identifier: author_key } })).toBe(1);
  });

  test("a post on two servers is one post with two sightings", async () => {
    const { id } = await freshStream(mastodon);
    const there = await freshStream(misskey);
    await fetchToEnd(there.id);
    expect((await streamRow(there.id)).platform).toBe("misskey");
    const shared = mastodon.control.addPost({ hashtags: ["cats"], created_at: new Date() }, "text");
    misskey.control.receive(mastodon, [shared]);
    await fetchNow(there.id, "?limit=5");
    await fetchNow(id, "?limit=5");
    const post = await db.post.findFirstOrThrow({ where: { uri: { contains: shared.id } } });
    expect(post).toMatchObject({ stream_id: there.id, instance: mastodon.host, from_home: true });
    expect(await db.sighting.count({ where: { post_id: post.id } })).toBe(2);
  });
});
