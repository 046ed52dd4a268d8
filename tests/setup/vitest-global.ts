import type { TestProject } from "vitest/node";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { startDatabaseServer, type DatabaseServer } from "./database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Integration tests only. */
    databaseServer: DatabaseServer;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  await ensurePrismaClient();
  if (project.name !== "integration") return undefined;
  const { stop, ...server } = await startDatabaseServer();
  project.provide("databaseServer", server);
  return stop;
}
