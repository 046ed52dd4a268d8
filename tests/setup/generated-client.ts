import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";

/* Loaded with `--import` before programs whose modules import the Prisma client: a fresh clone has none. */

await ensurePrismaClient();
