import type { TestProject } from "vitest/node";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { startDatabaseServer } from "./template-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Connection to the server's own database, for making and dropping others. */
    adminUrl: string;
    /** The migrated, empty database that each test file gets a copy of. */
    templateDatabase: string;
  }
}

/** Once for a run: the Prisma client, and a database server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensurePrismaClient();
  const { adminUrl, template, stop } = await startDatabaseServer();
  project.provide("adminUrl", adminUrl);
  project.provide("templateDatabase", template);
  return stop;
}
