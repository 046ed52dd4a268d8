import { rename } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { startApp, startWithAdmin } from "#tests/setup/installation.ts";
import { runSluice } from "#tests/setup/program.ts";

/* Backup, refusal, restore: a post whose author refused after the backup is not handed out. */

type Post = { id: number; author_account: string; post_id: string };
type Item = { fenliu_post_id: number };

test("a restored service hands out only posts that their servers show again", async () => {
  test.setTimeout(300_000);
  const installation = await startWithAdmin(
    { hashtags: ["herons"], embeddedDatabase: true },
    async ({ call, remote }) => {
      const generated = await call<{ api_key: string }>("POST", "/api-keys/generate", {
        scopes: ["read", "consume", "manage", "review"],
      });
      const stream = { hashtag: "herons", instance: remote.host, enable_scheduling: false };
      const { id } = (await call<{ id: number }>("POST", "/streams", stream)).json;
      await call("POST", `/streams/${id}/fetch?limit=100`);
      return { key: generated.json.api_key, stream: id };
    },
  );
  const { app, remote, dataDir, key, stream } = installation;
  const callerOf = (url: string) => throwOnError(apiCaller(url, { "x-api-key": key }));
  const file = path.join(path.dirname(dataDir), "backup.zip");
  const settings = { ALLOWED_PRIVATE_HOSTS: remote.origin, LOG_LEVEL: "error" };
  const running: { stop: () => Promise<void> }[] = [];
  const restart = async (folder: string) => {
    const logFile = path.join(path.dirname(dataDir), "restored.log");
    const restored = await startApp({ dataDir: folder, settings, logFile });
    running.push(restored);
    return { restored, call: callerOf(restored.url) };
  };
  try {
    const call = callerOf(app.url);
    const { json } = await call<{ items: Post[] }>("GET", "/posts?reviewed=false&limit=1000");
    const own = json.items.filter(({ author_account }) => author_account.endsWith(`@${remote.host}`));
    const [leaver] = own as [Post];
    const stayer = own.find(({ author_account }) => author_account !== leaver.author_account) as Post;
    for (const { id } of [leaver, stayer]) await call("POST", `/posts/${id}/approve`);
    expect(await runSluice(["backup", file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });

    remote.control.optOut(leaver.author_account.slice(1).split("@")[0] ?? "");
    await call("POST", `/streams/${stream}/fetch?limit=1`);
    const isStored = async (on: typeof call, { id }: Post) =>
      (await on<{ items: Post[] }>("GET", "/posts?limit=1000")).json.items.some((post) => post.id === id);
    expect(await isStored(call, leaver)).toBe(false);
    await app.stop();

    await rename(dataDir, `${dataDir}.old`);
    expect(await runSluice(["restore", file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    remote.control.fail({ kind: "status", status: 503 }, "all");
    const first = await restart(dataDir);
    expect((await first.call("GET", "/curated/next")).status).toBe(204);
    await first.call("PUT", "/reblog-controls/settings", { deliveries_paused: false });
    expect((await first.call("GET", "/curated/next")).status).toBe(204);
    remote.control.clearFaults();
    const next = async (on: typeof call) =>
      (await on<Item | undefined>("GET", "/curated/next")).json?.fenliu_post_id;
    await expect.poll(() => next(first.call), { timeout: 120_000, intervals: [500] }).toBe(stayer.id);
    await expect.poll(() => isStored(first.call, leaver), { timeout: 90_000 }).toBe(false);
    expect(await next(first.call)).toBeUndefined();
  } finally {
    for (const each of running) await each.stop();
    await installation.stop();
  }
});
