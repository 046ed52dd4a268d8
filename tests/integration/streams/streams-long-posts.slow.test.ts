import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as getRuns } from "#app/api/v1/streams/[id]/runs/route.ts";
import { db } from "#lib/db.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import type { SimPost } from "#tests/simulated-server/server.ts";
import { fetchNow, freshStream, streamRow } from "./stream-fetches.ts";

const { mastodon, misskey } = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const start = (software: "mastodon" | "misskey") =>
    startSimulatedServer({ posts: 0, hashtags: ["cats"], software });
  const servers = { mastodon: await start("mastodon"), misskey: await start("misskey") };
  process.env.ALLOWED_PRIVATE_HOSTS = Object.values(servers)
    .map(({ origin }) => origin)
    .join();
  return servers;
});

let key = "";
beforeEach(async () => {
  key = await makeKey();
});
afterEach(async () => {
  for (const { control } of [mastodon, misskey]) control.posts.length = 0;
  await db.host_state.updateMany({ data: { state: {} } });
});
afterAll(() => Promise.all([mastodon, misskey].map((server) => server.close())));

const MINUTE = 60_000;
const GIANT = 2_100_000;

let minute = 0;
/** Each a minute younger than the one before. */
function addPosts(server: typeof mastodon, lengths: number[]): SimPost[] {
  const author = { ...server.control.findAuthor("mira"), host: null };
  const part = server === misskey ? "text" : "content";
  return lengths.map((length) =>
    server.control.addPost({
      created_at: new Date(Date.now() - 600 * MINUTE + ++minute * MINUTE),
      author,
      hashtags: ["cats"],
      raw: length === 0 ? {} : { [part]: "x".repeat(length) },
    }),
  );
}
const of = (count: number, length = 0) => Array<number>(count).fill(length);

describe.each([
  ["mastodon", mastodon],
  ["misskey", misskey],
])("a stream of %s", (_software, server) => {
  test("says that a post of more than 2 MiB was skipped, and stores those around it", async () => {
    addPosts(server, [...of(5), GIANT, ...of(3)]);
    const { id } = await freshStream(server);
    const answer = await fetchNow(id);
    expect(answer).toMatchObject({
      status: 200,
      json: { new: 8, seen: 9, dropped: { too_large: 1 }, cursor_at_end: true },
    });
    expect(await streamRow(id)).toMatchObject({ last_error: null, failing_since: null });
    const runs = await call(getRuns, { path: `/api/v1/streams/${id}/runs`, params: { id: String(id) }, key });
    expect(runs.json).toMatchObject({ items: [{ dropped: { too_large: 1 }, error: null }] });
  });
});

test("a skipped post is counted once in the statistics", async () => {
  addPosts(mastodon, [0, GIANT]);
  const { id } = await freshStream(mastodon);
  const before = await db.dropped_post.count();
  await fetchNow(id);
  await fetchNow(id);
  expect((await db.dropped_post.count()) - before).toBe(1);
});
