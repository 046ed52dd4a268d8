import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startApp, type App } from "#tests/setup/installation.ts";
import { createSession, type Session } from "#tests/setup/api-client.ts";
import { openDemoFolder, type DemoFolder } from "./demo-folder.ts";
import { startSimulatedServer, type SimulatedServer } from "./server.ts";

/*
 * `npm run demo`: Sluice and a simulated server with two streams, without internet. All data is deleted at
 * the end, unless DATA_DIR names a folder for it.
 */

const ADMIN = { email: "demo@sluice.example", password: "look around a little" };
const HASHTAGS = ["cats", "photography"];
const POSTS = 300;
const ARRIVAL = 30_000;

let demo: DemoFolder | undefined;
let remote: SimulatedServer | undefined;
let app: App | undefined;
let ending = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));

try {
  demo = process.env.DATA_DIR ? openDemoFolder(path.resolve(process.env.DATA_DIR)) : await temporaryFolder();
  remote = await startSimulatedServer({ posts: POSTS, hashtags: HASHTAGS, port: demo.kept?.port ?? 0 });
  app = await startApp({
    dataDir: demo.dataDir,
    settings: {
      PORT: process.env.PORT ?? "3000",
      HOST: process.env.HOST ?? "127.0.0.1",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ALLOWED_PRIVATE_HOSTS: remote.origin,
      DEFAULT_INSTANCE: remote.host,
      LOG_FORMAT: "text",
      LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
    },
  });
  const session = await createSession(app.url, ADMIN.email, ADMIN.password);
  const key = demo.kept?.key ?? (await addStreamsAndKey(session));
  demo.keep({ port: Number(new URL(remote.origin).port), key });
  console.log("Fetching the first posts …");
  const fetched = await fetchUntilDone(session);
  remote.control.arriveEvery(ARRIVAL);
  tell(app.url, remote.origin, key, fetched);
} catch (error) {
  if (!ending) console.error(error instanceof Error ? error.message : error);
  await end(1);
}

async function temporaryFolder(): Promise<DemoFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-demo-"));
  // As root, the database runs under another account.
  await chmod(folder, 0o711);
  return {
    dataDir: path.join(folder, "data"),
    kept: null,
    keep: () => undefined,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @returns the key */
async function addStreamsAndKey(session: Session): Promise<string> {
  const { api_key } = await session.post<{ api_key: string }>("/api/v1/api-keys/generate", {
    name: "Demo bot",
  });
  for (const hashtag of HASHTAGS) {
    await session
      .post("/api/v1/streams", { hashtag, fetch_interval_minutes: 5 })
      // Added before an earlier start was interrupted.
      .catch((error: unknown) => {
        if (!String(error).includes(": 409 ")) throw error;
      });
  }
  return api_key;
}

async function fetchUntilDone(session: Session): Promise<number> {
  let fetched = 0;
  for (let round = 0; round < 20; round++) {
    const { new: found } = await session.post<{ new: number }>("/api/v1/streams/fetch-all", {});
    fetched += found;
    if (found === 0) break;
  }
  return fetched;
}

function tell(url: string, origin: string, key: string, fetched: number): void {
  console.log(`
A simulated server at ${origin} has ${POSTS} posts; ${fetched} are fetched, and more arrive as time goes by.

  Open      ${url}
  Sign in   ${ADMIN.email} / ${ADMIN.password}
  API key   ${key}

Approve a few posts. The example bot boosts them on the simulated server, in a second terminal:

  cd examples && npm install
  SLUICE_URL=${url} SLUICE_KEY=${key} \\
    MASTODON_URL=${origin} MASTODON_TOKEN=demo PAUSE=5 ../node_modules/.bin/node bot.ts

Ctrl-C ends the demo${process.env.DATA_DIR ? `; its data stays in ${process.env.DATA_DIR}` : " and removes all of it"}.
`);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await app?.stop();
  await remote?.close();
  await demo?.remove();
  process.exit(code);
}
