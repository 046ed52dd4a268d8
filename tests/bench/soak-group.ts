import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import { createSession } from "#tests/setup/api-client.ts";
import { query } from "#tests/setup/database.ts";
import { ADMIN, startApp } from "#tests/setup/installation.ts";
import { childrenOf } from "#tests/setup/program.ts";
import type { Row } from "./api-group.ts";
import { measure, type Shot } from "./load.ts";
import { BENCH_KEY, refill, seed } from "./seed.ts";

const CONSUMERS = 6;
const PEOPLE = 2;
const PAGES = [
  "/",
  "/review",
  "/posts",
  "/queue",
  "/streams",
  "/blocking",
  "/statistics",
  "/queue/topical",
  "/settings",
];

/** `npm start`, consumers that empty the queue and people who open pages, for a while. */
export async function runSoakGroup(options: {
  posts: number;
  seconds: number;
  report: (line: string) => void;
}): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-soak-"));
  // As root, the database runs under another account.
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "data");
  const settings = { LOG_LEVEL: "error" };
  let app = await startApp({ dataDir, settings, logFile: path.join(folder, "log") });
  try {
    const databaseUrl = (await runningDatabaseUrl(dataDir)) ?? "";
    await seed(databaseUrl, options.posts);
    await addAdministrator(databaseUrl);
    // Filling the database is not part of the measurement.
    await app.stop();
    app = await startApp({ dataDir, settings, logFile: path.join(folder, "log") });
    options.report(`${options.posts} posts ready`);
    const row = await soak(app, (await runningDatabaseUrl(dataDir)) ?? "", options.seconds);
    return [{ name: "soak", size: options.posts, ...row }];
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addAdministrator(databaseUrl: string): Promise<void> {
  const { hashPassword } = await import("#lib/accounts/password.ts");
  await query(
    databaseUrl,
    `INSERT INTO member (id, email, name, role, password_hash) VALUES (2, $1, 'Admin', 'admin', $2)`,
    [ADMIN.email, await hashPassword(ADMIN.password)],
  );
}

async function soak(app: { url: string; pid: number }, databaseUrl: string, seconds: number) {
  const { cookie } = await createSession(app.url, ADMIN.email, ADMIN.password);
  const memory = watchMemory(app.pid, performance.now() + seconds * 1000);
  const reserved: number[] = [];
  const nextCall = (): Shot => {
    const id = reserved.pop();
    if (id === undefined) return { method: "GET", path: "/api/v1/curated/next" };
    return { method: "POST", path: `/api/v1/curated/${id}/ack` };
  };
  const onAnswer = ({ method }: Shot, body: string) => {
    if (method === "POST") return undefined;
    if (body === "") return refill(databaseUrl);
    return reserved.push((JSON.parse(body) as { fenliu_post_id: number }).fenliu_post_id);
  };
  let page = 0;
  const nextPage = (): Shot => ({ method: "GET", path: PAGES[page++ % PAGES.length] ?? "/" });
  const [calls, pages] = await Promise.all([
    measure(app.url, CONSUMERS, seconds, { "x-api-key": BENCH_KEY }, nextCall, onAnswer),
    measure(app.url, PEOPLE, seconds, { cookie, accept: "text/html" }, nextPage),
  ]);
  return {
    seconds,
    calls: calls.requests,
    calls_p95_ms: calls.p95_ms,
    pages: pages.requests,
    pages_p95_ms: pages.p95_ms,
    failures: calls.failures + pages.failures,
    ...(await memory),
  };
}

/** The largest resident sizes, in megabytes; `all_mb` is the largest sum. */
async function watchMemory(supervisor: number, end: number) {
  const [web = 0] = childrenOf(supervisor, "sluice-web|web/web\\.ts");
  const [worker = 0] = childrenOf(supervisor, "sluice-worker|supervisor/worker\\.ts");
  const most = { supervisor_mb: 0, web_mb: 0, worker_mb: 0, all_mb: 0 };
  while (performance.now() < end) {
    const now = {
      supervisor_mb: residentSize(supervisor),
      web_mb: residentSize(web),
      worker_mb: residentSize(worker),
    };
    const all_mb = now.supervisor_mb + now.web_mb + now.worker_mb;
    for (const [name, size] of Object.entries({ ...now, all_mb })) {
      const figure = name as keyof typeof most;
      most[figure] = Math.max(most[figure], size);
    }
    await sleep(500);
  }
  return most;
}

function residentSize(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
