import type { TestProject } from "vitest/node";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { startDatabaseServer, type DatabaseServer } from "./database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Integration tests only. */
    databaseServer: DatabaseServer;
  }
}

/** One server for all projects; this module is loaded for each of them. */
const shared = globalThis as { sluiceTestServer?: ReturnType<typeof startDatabaseServer> };

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await ensurePrismaClient();
  if (project.name === "unit") return undefined;
  const isFirst = shared.sluiceTestServer === undefined;
  shared.sluiceTestServer ??= startDatabaseServer();
  const { stop, ...server } = await shared.sluiceTestServer;
  project.provide("databaseServer", server);
  return isFirst ? stop : undefined;
}
