import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";

/** Makes the Prisma client before anything imports it. */
export default async function setup(): Promise<void> {
  await ensurePrismaClient();
}
