import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi, type TestContext } from "vitest";
import { db } from "#lib/base/db.ts";
import { startApiServer } from "#tests/setup/api-server.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { type Running, startProgram } from "#tests/setup/program.ts";
import {
  faults,
  startSimulatedServer,
  type Fault,
  type SimulatedServer,
} from "#tests/simulated-server/server.ts";

/* Runs examples/bot.ts and examples/bot.py against the queue's handlers and a simulated Mastodon server. */

const run = promisify(execFile);
let folder: string;
let sluice: Awaited<ReturnType<typeof startApiServer>>;
let asked: string[] = [];
/** Requests by verb that a proxy before Sluice refuses once. */
let refused: string[] = [];
let mastodon: SimulatedServer;
let bot: Running | undefined;
const said = () => bot?.output() ?? "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-bot-"));
  await cp("examples", folder, { recursive: true });
  mastodon = await startSimulatedServer({ posts: 0 });
  sluice = await startApiServer(({ verb, lease }) => {
    asked.push(`${verb} ${lease ?? ""}`.trim());
    if (!refused.includes(verb)) return null;
    refused = refused.filter((each) => each !== verb);
    return 503;
  });
});

afterAll(async () => {
  await sluice.close();
  await mastodon.close();
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  bot?.child.kill("SIGKILL");
  bot = undefined;
  asked = [];
  refused = [];
  mastodon.control.clearFaults();
  await db.post.deleteMany();
});

/** A queued post that the simulated server knows, with its id there. */
async function queued(): Promise<{ id: number; status: string }> {
  const { id: status, uuid: _, ...post } = mastodon.control.addPost({ paragraphs: ["Hello"] });
  const uri = `${mastodon.origin}/users/${post.author.username}/statuses/${status}`;
  return { id: (await makePending({ uri })).id, status };
}

const entry = (id: number) => db.queue_entry.findUniqueOrThrow({ where: { post_id: id } });

type Start = (key: string, pause?: string, settings?: Record<string, string>) => void;

function starter(command: string[]): Start {
  return (key, pause = "0.05", settings = {}) => {
    const [program = "", ...given] = command;
    const own = { NODE_ENV: "production", PAUSE: pause, SLUICE_KEY: key, SLUICE_URL: sluice.url };
    const there = { MASTODON_URL: mastodon.origin, MASTODON_TOKEN: "any" };
    bot = startProgram(program, given, { ...own, ...there, ...settings }, { cwd: folder });
  };
}

async function installTypeScript(): Promise<string[]> {
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  return [process.execPath, "--disable-warning=ExperimentalWarning", "bot.ts"];
}

/** Python and its package registry may be missing; the bot is then not tested. */
async function installPython(): Promise<string[] | string> {
  const venv = path.join(folder, "venv");
  try {
    await run("python3", ["-m", "venv", venv]);
    await run(path.join(venv, "bin/pip"), ["install", "-q", "-r", "requirements.txt"], { cwd: folder });
  } catch (error) {
    return String((error as Error).message)
      .split("\n")
      .slice(0, 3)
      .join(" ");
  }
  return [path.join(venv, "bin/python"), "bot.py"];
}

vi.setConfig({ testTimeout: 60_000 });

describe.each([
  ["bot.ts", installTypeScript],
  ["bot.py", installPython],
])("examples/%s", (_name, install) => {
  let installed: string[] | string = "not installed";
  let start: Start;
  beforeAll(async () => {
    installed = await install();
    if (typeof installed !== "string") start = starter(installed);
  }, 300_000);
  const prepared = (context: TestContext) => {
    if (typeof installed === "string")
      context.skip(`Python and Mastodon.py cannot be installed: ${installed}`);
  };
  const wait = { timeout: 30_000 };

  it("boosts posts and acks them with their leases, also one that was boosted before", async (context) => {
    prepared(context);
    const [first, second] = [await queued(), await queued()];
    mastodon.control.boosted.push(second.status);
    start(await makeKey({ scopes: ["consume"] }));
    for (const { id, status } of [first, second]) {
      await expect.poll(async () => (await entry(id)).state, { ...wait, message: said() }).toBe("delivered");
      expect(mastodon.control.boosted.filter((each) => each === status)).toHaveLength(1);
    }
    expect(said().match(/^20\S+ boosted http.*$/gm)).toEqual([
      expect.stringMatching(/\/statuses\/\d+$/),
      expect.stringMatching(/ again: it was boosted before$/),
    ]);
    const acks = asked.filter((line) => line.startsWith("ack"));
    expect(acks.map((line) => /^ack "[\w-]{36}"$/.test(line))).toEqual([true, true]);
    await expect.poll(() => asked.at(-1), wait).toBe("next");
  });

  it("goes on after a kill between boost and ack, and boosts nothing twice", async (context) => {
    prepared(context);
    const { id, status } = await queued();
    const key = await makeKey({ scopes: ["consume"] });
    refused = ["ack"];
    start(key);
    await expect.poll(() => asked.at(-1), wait).toMatch(/^ack/);
    bot?.child.kill("SIGKILL");
    expect((await entry(id)).state).toBe("reserved");
    await db.$executeRaw`UPDATE queue_entry SET lease_expires_at = now() - interval '1 s' WHERE post_id = ${id}`;
    start(key);
    await expect.poll(async () => (await entry(id)).state, wait).toBe("delivered");
    expect(await entry(id)).toMatchObject({ deliveries: 2, timeouts: 1 });
    expect(mastodon.control.boosted.filter((each) => each === status)).toHaveLength(1);
  });

  it("reports a post that is not found, by an empty search and by 404", async (context) => {
    prepared(context);
    const missing = await makePending({ uri: `${mastodon.origin}/users/nobody/statuses/1` });
    start(await makeKey({ scopes: ["consume"] }));
    await expect.poll(async () => (await entry(missing.id)).state, wait).toBe("error");
    expect((await entry(missing.id)).error_reason).toBe("Status not found on fediverse");
    expect(said()).toMatch(/^20\S+ reported http\S+ Status not found on fediverse$/m);
    bot?.child.kill("SIGKILL");
    mastodon.control.fail(faults.notFound(), "status");
    const gone = await queued();
    start(await makeKey({ scopes: ["consume"] }));
    await expect.poll(async () => (await entry(gone.id)).state, wait).toBe("error");
  });

  it("waits within the lease when there are too many requests", async (context) => {
    prepared(context);
    const { id } = await queued();
    mastodon.control.failNext(faults.tooManyRequests(), { times: 2, on: "status" });
    start(await makeKey({ scopes: ["consume"] }));
    await expect.poll(async () => (await entry(id)).state, wait).toBe("delivered");
    expect(await entry(id)).toMatchObject({ deliveries: 1, nacks: 0 });
  });

  it("gives the post back when the lease is too short to wait", async (context) => {
    prepared(context);
    const { id } = await queued();
    mastodon.control.fail(faults.tooManyRequests(), "status");
    start(await makeKey({ scopes: ["consume"] }), "400");
    await expect.poll(async () => (await entry(id)).nacks, wait).toBe(1);
    expect((await entry(id)).state).toBe("pending");
  });

  it.for([
    ["an error of the server", faults.serverError(502)],
    ["a cut connection", { kind: "drop" }],
  ] satisfies [string, Fault][])("gives the post back and pauses after %s", async ([, fault], context) => {
    prepared(context);
    const { id } = await queued();
    mastodon.control.failNext(fault, { times: 1, on: "status" });
    start(await makeKey({ scopes: ["consume"] }), "0.5");
    await expect.poll(async () => (await entry(id)).nacks, wait).toBe(1);
    const begun = Date.now();
    await expect.poll(async () => (await entry(id)).state, { ...wait, interval: 50 }).toBe("delivered");
    expect(Date.now() - begun).toBeGreaterThan(500);
    expect(await entry(id)).toMatchObject({ deliveries: 2, nacks: 1 });
  });

  it("asks again after a nack when Sluice says so", async (context) => {
    prepared(context);
    const { id } = await queued();
    // The fourth refusal in a row keeps the post back for a second.
    await db.queue_entry.update({ where: { post_id: id }, data: { refusals: 3 } });
    mastodon.control.failNext(faults.serverError(502), { times: 1, on: "status" });
    start(await makeKey({ scopes: ["consume"] }), "0.05");
    await expect.poll(async () => (await entry(id)).state, wait).toBe("delivered");
    const verbs = ["next", "nack", "next", "ack"];
    expect(asked.slice(0, 4).map((line) => line.split(" ")[0])).toEqual(verbs);
  });

  it("pauses after a 503 of a proxy with a date in Retry-After, and settles the post", async (context) => {
    prepared(context);
    const { id } = await queued();
    refused = ["next", "ack"];
    start(await makeKey({ scopes: ["consume"] }), "0.5");
    await expect.poll(() => asked.length, { ...wait, interval: 20 }).toBe(1);
    const begun = Date.now();
    await expect.poll(() => asked.length, { ...wait, interval: 20 }).toBe(2);
    expect(Date.now() - begun).toBeGreaterThan(400);
    await expect.poll(async () => (await entry(id)).state, wait).toBe("delivered");
    const verbs = ["next", "next", "ack", "ack"];
    expect(asked.slice(0, 4).map((line) => line.split(" ")[0])).toEqual(verbs);
    expect(bot?.child.exitCode).toBeNull();
  });

  it.for([
    [{ SLUICE_URL: "", MASTODON_TOKEN: "" }, "Set SLUICE_URL, MASTODON_TOKEN."],
    [{ SLUICE_URL: "sluice.example" }, "SLUICE_URL must be an address such as https://example.org."],
    [
      { MASTODON_URL: "https://a.example/api" },
      "MASTODON_URL must be an address such as https://example.org.",
    ],
    [{ PAUSE: "a minute" }, "PAUSE must be a number of seconds above 0."],
    [{ PAUSE: "0" }, "PAUSE must be a number of seconds above 0."],
  ] satisfies [Record<string, string>, string][])("refuses %j: %s", async ([given, sentence], context) => {
    prepared(context);
    start("slc_any", "1", given);
    await expect.poll(() => bot?.child.exitCode, wait).toBe(1);
    expect(said().trim()).toBe(sentence);
    expect(asked).toEqual([]);
  });

  it("ends when its key is refused", async (context) => {
    prepared(context);
    start("slc_wrong");
    await expect.poll(() => bot?.child.exitCode, wait).toBe(1);
    expect(said()).toContain("Invalid API key");
  });
});
