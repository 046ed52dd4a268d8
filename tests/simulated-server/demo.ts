import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import { createSession } from "#tests/setup/api-client.ts";
import { startApp, type App } from "#tests/setup/installation.ts";
import { addDemoWeek, REVIEWER } from "./demo-week.ts";
import { startSimulatedServer, type SimulatedServer } from "./server.ts";

/*
 * `npm run demo`: Sluice and a simulated server with two streams and a week of work, without internet. All data is
 * deleted at the end, unless DATA_DIR names a folder for it.
 */

const ADMIN = { email: "demo@sluice.example", password: "look around a little" };
const HASHTAGS = ["cats", "photography"];
const POSTS = 40;
const ARRIVAL = 30_000;
/** For the example bot. */
const BOT_SETTINGS = path.resolve("examples/.env.demo");

/** Removed at the end of a demo without DATA_DIR. */
const temporary = process.env.DATA_DIR ? null : mkdtempSync(path.join(tmpdir(), "sluice-demo-"));
// As root, the database runs under another account.
if (temporary !== null) chmodSync(temporary, 0o711);
const dataDir = temporary === null ? path.resolve(process.env.DATA_DIR ?? "") : path.join(temporary, "data");
const file = path.join(dataDir, "demo.json");

let remote: SimulatedServer | undefined;
let app: App | undefined;
let ending = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));

try {
  const kept = openFolder();
  remote = await startSimulatedServer({ posts: POSTS, hashtags: HASHTAGS, port: kept?.port ?? 0 });
  app = await startApp({
    dataDir,
    settings: {
      PORT: process.env.PORT ?? "3000",
      HOST: process.env.HOST ?? "127.0.0.1",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ALLOWED_PRIVATE_HOSTS: remote.origin,
      DEFAULT_INSTANCE: remote.host,
      LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
    },
  });
  const session = await createSession(app.url, ADMIN.email, ADMIN.password);
  if (kept === null) console.log("Making a week of work …");
  const key =
    kept?.key ??
    (await addDemoWeek({
      url: app.url,
      databaseUrl: (await runningDatabaseUrl(dataDir)) ?? "",
      remote,
      admin: session,
      hashtags: HASHTAGS,
    }));
  writeFileSync(file, JSON.stringify({ port: Number(new URL(remote.origin).port), key }));
  remote.control.arriveEvery(ARRIVAL);
  const forBot = {
    SLUICE_URL: app.url,
    SLUICE_KEY: key,
    MASTODON_URL: remote.origin,
    MASTODON_TOKEN: "demo",
    PAUSE: 5,
  };
  writeFileSync(
    BOT_SETTINGS,
    Object.entries(forBot)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
    { mode: 0o600 },
  );
  tell(app.url, remote.origin, key);
} catch (error) {
  if (!ending) console.error(error instanceof Error ? error.message : error);
  await end(1);
}

/**
 * @returns what an earlier demo in this folder kept: the port of its server, because streams name it, and the key
 * @throws Error for data that is not a demo's
 */
function openFolder(): { port: number; key: string } | null {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as { port: number; key: string } | null;
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`DATA_DIR ${dataDir} holds data that the demo did not make: choose an empty folder.`);
  // At once, so that an interrupted first start can go on.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, "null", { mode: 0o600 });
  return null;
}

function tell(url: string, origin: string, key: string): void {
  console.log(`
A simulated server at ${origin} has posts, and more arrive as time goes by. Two people have reviewed them for a week.

  Open      ${url}
  Admin     ${ADMIN.email} / ${ADMIN.password}
  Reviewer  ${REVIEWER.email} / ${REVIEWER.password}
  API key   ${key}

Approved posts wait. The example bot boosts them on the simulated server, in a second terminal:

  cd examples && npm install
  ../node_modules/.bin/node --env-file=.env.demo bot.ts

Ctrl-C ends the demo${process.env.DATA_DIR ? `; its data stays in ${process.env.DATA_DIR}` : " and removes all of it"}.
`);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await app?.stop();
  await remote?.close();
  if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  rmSync(BOT_SETTINGS, { force: true });
  process.exit(code);
}
