import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { addressOf, type Running, startProgram, stopProgram } from "#tests/setup/program.ts";

const run = promisify(execFile);

const start = (script: string, settings: Record<string, string>): Running =>
  startProgram("npm", ["run", script], { HOST: "127.0.0.1", PORT: "0", ...settings });

/** The printed lines, in a copy of the folder. */
async function runExampleBot(folder: string): Promise<void> {
  await cp("examples", folder, { recursive: true });
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder });
  const bot = startProgram(process.execPath, ["--env-file=.env.demo", "bot.ts"], {}, { cwd: folder });
  // The first post is the one that the key holds.
  await expect.poll(bot.output, { timeout: 30_000 }).toMatch(/(boosted http\S+\n[^]*){2}/);
  bot.child.kill("SIGKILL");
}

test.describe.configure({ timeout: 300_000 });

test("npm run demo offers a service with posts, accounts, approved posts and a key, in its own folder", async () => {
  const parent = await mkdtemp(path.join(tmpdir(), "sluice-demo-"));
  // As root, the database runs under another account.
  await chmod(parent, 0o711);
  const folder = path.join(parent, "kept");
  const demo = start("demo", { DATA_DIR: folder });
  try {
    await expect.poll(demo.output, { timeout: 180_000 }).toContain("API key   slc_");
    const [, url = ""] = /Open +(\S+)/.exec(demo.output()) ?? [];
    const [, key = ""] = /API key +(\S+)/.exec(demo.output()) ?? [];
    const posts = await fetch(`${url}/api/v1/posts`, { headers: { "X-API-Key": key } });
    expect(await posts.json()).toMatchObject({ items: expect.any(Array), skip: 0 });
    expect((await fetch(`${url}/api/v1/curated/next`, { headers: { "X-API-Key": key } })).status).toBe(200);
    await runExampleBot(path.join(parent, "examples"));
  } finally {
    await stopProgram(demo);
  }
  expect(await readdir("examples")).not.toContain(".env.demo");
  expect(demo.output()).toContain("Making a week of work …");
  expect(demo.output()).toContain(`its data stays in ${folder}`);
  // No log line in JSON.
  expect(
    demo
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{")),
  ).toEqual([]);
  expect(await readdir(folder)).toContain("auth-secret");
  await rm(parent, { recursive: true, force: true });
});

test("npm run dev serves pages that are compiled when they are asked for", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sluice-dev-"));
  // As root, the database runs under another account.
  await chmod(dataDir, 0o711);
  const dev = start("dev", { DATA_DIR: dataDir });
  try {
    const url = await addressOf(dev);
    const page = await fetch(`${url}/sign-in`, { signal: AbortSignal.timeout(150_000) });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Sign in");
  } finally {
    await stopProgram(dev);
    await rm(dataDir, { recursive: true, force: true });
  }
});
