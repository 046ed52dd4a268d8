import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { prepareChromium } from "./chromium.ts";
import { ADMIN } from "./journey-facts.ts";
import { startApp } from "./start-app.ts";

/**
 * Once for a run of the journeys: a browser, and the built application on a fresh database with one account.
 * @returns what takes it all down again
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-journeys-"));
  // As root the database has an account of its own, which has to get in here.
  await chmod(folder, 0o711);
  const results = path.resolve("test-results");
  await mkdir(results, { recursive: true });
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    await ensurePrismaClient();
    if (!(await isBuilt())) await build();
    const browserFolder = path.join(folder, "browser");
    await mkdir(browserFolder);
    process.env.E2E_BROWSER = JSON.stringify(await prepareChromium(browserFolder));
    const app = await startApp({
      dataDir: path.join(folder, "data"),
      settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
      logFile: path.join(results, "application.log"),
    });
    process.env.E2E_URL = app.url;
    return async () => {
      await app.stop();
      await removeFolder();
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
