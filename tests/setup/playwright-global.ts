import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { prepareChromium } from "./chromium.ts";
import { startDatabaseServer } from "./database.ts";

/**
 * Builds when the build is stale, unpacks a browser and starts a database server.
 *
 * @returns the teardown
 */
export default async function setup(): Promise<() => Promise<void>> {
  await mkdir("test-results", { recursive: true });
  await ensurePrismaClient();
  if (!(await isBuilt())) await build();
  const browserFolder = await mkdtemp(path.join(tmpdir(), "sluice-browser-"));
  const removeBrowser = () => rm(browserFolder, { recursive: true, force: true });
  try {
    process.env.E2E_BROWSER = JSON.stringify(await prepareChromium(browserFolder));
    const { stop, ...server } = await startDatabaseServer();
    process.env.E2E_DATABASE_SERVER = JSON.stringify(server);
    return async () => {
      await stop();
      await removeBrowser();
    };
  } catch (error) {
    await removeBrowser();
    throw error;
  }
}
