import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { listFetchRuns } from "#lib/collect/streams.ts";
import { fetchNow, fetchToEnd, freshStream, streamRow, wanted } from "./stream-fetches.ts";

const { mastodon } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ mastodon: { posts: 100 } }),
);

test("shows a killed fetch as interrupted, and the next one misses nothing", async () => {
  const { id } = await freshStream(mastodon);
  const due = new Date(Date.now() - 1000);
  await db.stream.update({ where: { id }, data: { next_scheduled_fetch: due } });
  const list = () => listFetchRuns(id, 20);
  mastodon.control.failNext({ kind: "slow", ms: 0 });
  mastodon.control.failNext({ kind: "stall" });
  const script = `
    const { fetchStream } = await import("#lib/collect/fetch-streams.ts");
    await fetchStream(${id}, { limit: 400 });`;
  const fetching = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    env: { ...process.env, LOG_LEVEL: "silent" },
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => fetching.once("exit", (_code, signal) => resolve(signal)));
  await expect.poll(async () => (await list())[0]?.pages, { timeout: 20_000 }).toBe(1);
  const [underWay] = await list();
  expect(underWay).toMatchObject({ finished_at: null, error: null });
  fetching.kill("SIGKILL");
  expect(await gone).toBe("SIGKILL");
  expect((await fetchNow(id)).status).toBe(409);

  await db.$executeRaw`UPDATE stream SET fetch_lease_until = now() - interval '1 second' WHERE id = ${id}`;
  await db.host_state.updateMany({ data: { state: {} } });
  const broken = { ...underWay, error: "The fetch broke off." };
  expect(await list()).toEqual([broken]);
  expect((await streamRow(id)).next_scheduled_fetch).toEqual(due);
  mastodon.control.clearFaults();
  mastodon.control.failNext({ kind: "slow", ms: 600 });
  const next = fetchNow(id);
  await expect.poll(async () => (await list()).length).toBe(2);
  expect(await list()).toMatchObject([{ finished_at: null, error: null }, { error: "The fetch broke off." }]);
  await next;
  await fetchToEnd(id);
  expect((await list()).at(-1)).toEqual(broken);
  expect((await list())[0]).toMatchObject({ error: null, finished_at: expect.any(String) as string });
  expect(await db.post.count()).toBe(wanted(mastodon));
}, 60_000);
