import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { consumerInPython } from "#components/settings/keys/consumer-python.ts";
import { consumerInTypeScript } from "#components/settings/keys/consumer-typescript.ts";
import { db } from "#lib/base/db.ts";
import { startApiServer, type ApiRequest } from "#tests/setup/api-server.ts";
import { makeKey, makePending, makeStream } from "#tests/setup/factories.ts";

/* Runs the two example consumers of the settings page against the queue's handlers. */

let folder: string;
const servers: { close: () => Promise<void> }[] = [];
let program: ChildProcess | undefined;
let said = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-consumer-"));
  return () => rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  program?.kill("SIGKILL");
  program = undefined;
  for (const server of servers.splice(0)) await server.close();
  await db.post.deleteMany();
});

/** @param trouble may replace an answer by a status */
async function serve(
  trouble: (request: ApiRequest) => number | null = () => null,
): Promise<{ url: string; asked: ApiRequest[] }> {
  const asked: ApiRequest[] = [];
  const server = await startApiServer((request) => {
    asked.push(request);
    return trouble(request);
  });
  servers.push(server);
  return { url: server.url, asked };
}

async function run(command: string[], text: string, key: string, file: string): Promise<void> {
  await writeFile(path.join(folder, file), text);
  const [name = "", ...before] = command;
  said = "";
  const child = spawn(name, [...before, path.join(folder, file)], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, SLUICE_KEY: key, SLUICE_PACE: "0.05" },
  });
  program = child;
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
}

const runTypeScript = (text: string, key: string) =>
  run([process.execPath, "--disable-warning=ExperimentalWarning"], text, key, "consumer.ts");

function withBoost(text: string, body: string): string {
  const changed = text.replace(/ +console\.log\("Boosting[^\n]*\n +return "boosted";/, body);
  expect(changed).not.toBe(text);
  return changed;
}

async function states(ids: number[]): Promise<string[]> {
  const rows = await db.queue_entry.findMany({
    where: { post_id: { in: ids } },
    orderBy: { post_id: "asc" },
  });
  return rows.map((row) => row.state);
}

describe("the consumer in TypeScript", () => {
  it("delivers posts one by one with their leases and pauses without posts", async () => {
    const { url, asked } = await serve();
    const posts = [await makePending(), await makePending(), await makePending()];
    await runTypeScript(consumerInTypeScript(url), await makeKey({ scopes: ["consume"] }));
    const ids = posts.map((post) => post.id);
    await expect
      .poll(() => states(ids), { timeout: 15_000 })
      .toEqual(["delivered", "delivered", "delivered"]);
    expect(said).toContain(`Boosting ${posts[0]?.url ?? ""} by ${posts[0]?.author_account ?? ""}`);
    expect(
      asked.filter((line) => line.method === "POST").every((line) => /^"[\w-]+"$/.test(line.lease ?? "")),
    ).toBe(true);
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(7);
    await new Promise((done) => setTimeout(done, 500));
    expect(asked).toHaveLength(7);
  });

  it("nacks failures, reports permanent errors and backs off", async () => {
    const { url, asked } = await serve();
    const [broken, hopeless] = [await makePending(), await makePending()];
    const body = `  if (post.fenliu_post_id === ${hopeless.id}) return { reason: "Status not found on fediverse", error_details: { status: 404 } };
  throw new Error("my server is away");`;
    const key = await makeKey({ scopes: ["consume"] });
    await runTypeScript(withBoost(consumerInTypeScript(url), body), key);
    await expect.poll(() => states([hopeless.id]), { timeout: 15_000 }).toEqual(["error"]);
    const entry = await db.queue_entry.findUniqueOrThrow({ where: { post_id: hopeless.id } });
    expect(entry).toMatchObject({
      error_reason: "Status not found on fediverse",
      error_details: { status: 404 },
    });
    await expect.poll(() => states([broken.id]), { timeout: 15_000 }).toEqual(["pending"]);
    expect(said).toContain("my server is away");
    const takes = asked.filter((line) => line.path.endsWith("/next")).map((line) => line.at);
    // The pauses between four refusals: at least 0.05, 0.1, 0.2 and 0.4 s.
    expect((takes[4] ?? 0) - (takes[0] ?? 0)).toBeGreaterThan(700);
  });

  it("repeats an ack whose answer was lost and ignores lost leases", async () => {
    let acks = 0;
    const { url, asked } = await serve((line) => (line.path.endsWith("/ack") && ++acks === 1 ? 503 : null));
    // Separate streams, so that the first program cannot take the second one's post.
    const [first, second] = [(await makeStream()).id, (await makeStream()).id];
    const keyOf = (stream: number) => makeKey({ scopes: ["consume"], stream_ids: [stream] });
    const post = await makePending({ stream_id: first });
    await runTypeScript(consumerInTypeScript(url), await keyOf(first));
    await expect.poll(() => states([post.id]), { timeout: 15_000 }).toEqual(["delivered"]);
    expect(asked.filter((line) => line.path.endsWith("/ack"))).toHaveLength(2);

    const other = await makePending({ stream_id: second });
    const lapsed = await serve((line) => (line.path.endsWith("/ack") ? 412 : null));
    program?.kill("SIGKILL");
    await runTypeScript(consumerInTypeScript(lapsed.url), await keyOf(second));
    await expect.poll(() => said, { timeout: 15_000 }).toContain("ack 412");
    expect(await states([other.id])).toEqual(["reserved"]);
    expect(lapsed.asked.filter((line) => line.path.endsWith("/ack"))).toHaveLength(1);
  });

  it("exits with a message when its key is refused", async () => {
    const { url, asked } = await serve();
    await runTypeScript(consumerInTypeScript(url), "slc_wrong");
    const code = await new Promise<number | null>((done) => program?.once("exit", done));
    expect(code).toBe(1);
    expect(said).toContain("The key was refused");
    expect(asked).toHaveLength(1);
  });

  it("backs off while the service is away", async () => {
    const { url, asked } = await serve(() => 503);
    await runTypeScript(consumerInTypeScript(url), "slc_any");
    await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(5);
    expect((asked[4]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThan(700);
  });
});

describe("the consumer in Python", () => {
  it("delivers, nacks and reports where Python is installed", async (context) => {
    const python = spawnSync("python3", ["-c", "import sys; print(sys.version_info >= (3, 9))"], {
      encoding: "utf8",
    });
    if (python.status !== 0 || python.stdout.trim() !== "True") context.skip("Python 3.9 is not installed");
    const { url, asked } = await serve();
    const [fine, hopeless, broken] = [await makePending(), await makePending(), await makePending()];
    const body = `    if post["fenliu_post_id"] == ${hopeless.id}:
        return {"reason": "Status not found on fediverse"}
    if post["fenliu_post_id"] == ${broken.id}:
        raise RuntimeError("my server is away")
    print("Boosting", post["post_url"])
    return "boosted"`;
    const changed = consumerInPython(url).replace(/ +print\("Boosting[^\n]*\n +return "boosted"/, body);
    await run(["python3"], changed, await makeKey({ scopes: ["consume"] }), "consumer.py");
    const ids = [fine.id, hopeless.id];
    await expect.poll(() => states(ids), { timeout: 20_000 }).toEqual(["delivered", "error"]);
    await expect.poll(() => said, { timeout: 20_000 }).toContain("my server is away");
    await expect
      .poll(async () => (await db.queue_entry.findUniqueOrThrow({ where: { post_id: broken.id } })).nacks, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);
    expect(
      asked.filter((line) => line.method === "POST").every((line) => /^"[\w-]+"$/.test(line.lease ?? "")),
    ).toBe(true);
  });
});
