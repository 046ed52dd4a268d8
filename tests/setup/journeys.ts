import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { prepareChromium } from "./chromium.ts";
import { startInstallation } from "./installation.ts";
import { ADMIN, HASHTAGS } from "./journey-facts.ts";

/**
 * Once for a run of the journeys: a browser, a simulated server, and the built application on a fresh database
 * with one account.
 * @returns what takes it all down again
 */
export default async function setup(): Promise<() => Promise<void>> {
  const results = path.resolve("test-results");
  await mkdir(results, { recursive: true });
  await ensurePrismaClient();
  if (!(await isBuilt())) await build();
  const browserFolder = await mkdtemp(path.join(tmpdir(), "sluice-browser-"));
  const removeBrowser = () => rm(browserFolder, { recursive: true, force: true });
  try {
    process.env.E2E_BROWSER = JSON.stringify(await prepareChromium(browserFolder));
    const { app, remote, takeDown } = await startInstallation({
      hashtags: HASHTAGS,
      settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: "info" },
      logFile: path.join(results, "application.log"),
    });
    process.env.E2E_URL = app.url;
    process.env.E2E_REMOTE = remote.origin;
    return async () => {
      await takeDown();
      await removeBrowser();
    };
  } catch (error) {
    await removeBrowser();
    throw error;
  }
}
