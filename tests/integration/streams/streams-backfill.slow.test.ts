import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/db.ts";
import { fetchNow, fetchToEnd, freshStream, wanted } from "./stream-fetches.ts";

// Before any module reads the settings.
const mastodon = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const server = await startSimulatedServer({ posts: 100, hashtags: ["cats"], spanHours: 20 });
  process.env.ALLOWED_PRIVATE_HOSTS = server.origin;
  return server;
});
afterEach(() => db.host_state.updateMany({ data: { state: {} } }));
afterAll(() => mastodon.close());

describe("later posts", () => {
  test("do not block the backfill when every run reaches its limit", async () => {
    const { id } = await freshStream(mastodon);
    const past = wanted(mastodon);
    const begun = new Date();
    const limit = 30;
    expect(await fetchNow(id, `?limit=${limit}`)).toMatchObject({
      json: { new: limit, cursor_at_end: false },
    });
    const unread = async () => past - (await db.post.count({ where: { created_at: { lt: begun } } }));
    expect(await unread()).toBeGreaterThan(0);
    const runs = 4 * Math.ceil((await unread()) / limit);
    for (let n = 0; n < runs; n++) {
      for (let each = 0; each < limit + 5; each++) mastodon.control.addPost({ hashtags: ["cats"] }, "text");
      expect(await fetchNow(id, `?limit=${limit}`)).toMatchObject({
        json: { new: limit, cursor_at_end: false },
      });
    }
    expect(await unread()).toBe(0);
    await fetchToEnd(id);
    expect(await db.post.count()).toBe(wanted(mastodon));
  }, 120_000);

  test("are found below the cursor", async () => {
    const { id } = await freshStream(mastodon);
    await fetchToEnd(id);
    mastodon.control.addPost({ created_at: new Date(Date.now() - 4 * 3_600_000), hashtags: ["cats"] });
    expect(await fetchNow(id)).toMatchObject({ json: { new: 1 } });
    expect(await db.post.count()).toBe(wanted(mastodon));
  });
});
