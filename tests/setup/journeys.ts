import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { startSimulatedServer } from "#tests/simulated-server/server.ts";
import { prepareChromium } from "./chromium.ts";
import { ADMIN, HASHTAGS } from "./journey-facts.ts";
import { startApp, type App } from "./start-app.ts";

/**
 * Once for a run of the journeys: a browser, a simulated server, and the built application on a fresh database
 * with one account.
 * @returns what takes it all down again
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-journeys-"));
  // As root the database has an account of its own, which has to get in here.
  await chmod(folder, 0o711);
  const results = path.resolve("test-results");
  await mkdir(results, { recursive: true });
  const remote = await startSimulatedServer({ posts: 120, hashtags: HASHTAGS });
  let app: App | undefined;
  const takeDown = async () => {
    await app?.stop();
    await remote.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ensurePrismaClient();
    if (!(await isBuilt())) await build();
    const browserFolder = path.join(folder, "browser");
    await mkdir(browserFolder);
    process.env.E2E_BROWSER = JSON.stringify(await prepareChromium(browserFolder));
    app = await startApp({
      dataDir: path.join(folder, "data"),
      settings: {
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ALLOWED_PRIVATE_HOSTS: remote.origin,
        DEFAULT_INSTANCE: remote.host,
      },
      logFile: path.join(results, "application.log"),
    });
    process.env.E2E_URL = app.url;
    process.env.E2E_REMOTE = remote.origin;
    return takeDown;
  } catch (error) {
    await takeDown();
    throw error;
  }
}
