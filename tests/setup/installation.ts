import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runningDatabaseUrl } from "#lib/runtime/running-database.ts";
import { startSimulatedServer, type SimulatedServer } from "#tests/simulated-server/server.ts";
import { copyTemplate, type DatabaseServer } from "./database-copy.ts";
import { startApp, type App } from "./start-app.ts";

export type Installation = {
  app: App;
  remote: SimulatedServer;
  dataDir: string;
  /** Its database, for what no endpoint does: moving a lease's end, many posts at once. */
  databaseUrl: string;
  /** Stops both and removes all they left. */
  takeDown: () => Promise<void>;
};

/**
 * The built application on a fresh database, and a simulated server it may read, both of one's own.
 * @param settings of the application, besides where the simulated server is
 * @param posts how many the simulated server has
 * @param logFile where the application's output goes; removed with the rest unless named
 * @param withItsDatabase starts the database that comes with the application, as an operator's first start does;
 *   otherwise a run of the journeys has one server for all
 */
export async function startInstallation({
  settings = {},
  posts = 120,
  hashtags,
  seed = "installation",
  logFile,
  withItsDatabase = false,
}: {
  settings?: Record<string, string>;
  posts?: number;
  hashtags: readonly string[];
  seed?: string;
  logFile?: string;
  withItsDatabase?: boolean;
}): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-installation-"));
  // As root the database has an account of its own, which has to get in here.
  await chmod(folder, 0o711);
  const remote = await startSimulatedServer({ posts, hashtags, seed });
  let app: App | undefined;
  let database: Awaited<ReturnType<typeof copyTemplate>> | undefined;
  const takeDown = async () => {
    await app?.stop();
    await database?.drop();
    await remote.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const dataDir = path.join(folder, "data");
    const server = process.env.E2E_DATABASE_SERVER;
    if (server && !withItsDatabase) database = await copyTemplate(JSON.parse(server) as DatabaseServer);
    app = await startApp({
      dataDir,
      settings: {
        ALLOWED_PRIVATE_HOSTS: remote.origin,
        DEFAULT_INSTANCE: remote.host,
        LOG_LEVEL: "error",
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
        ...settings,
      },
      logFile: logFile ?? path.join(folder, "app.log"),
    });
    const databaseUrl = database?.url ?? (await runningDatabaseUrl(dataDir)) ?? "";
    return { app, remote, dataDir, databaseUrl, takeDown };
  } catch (error) {
    await takeDown();
    throw error;
  }
}
