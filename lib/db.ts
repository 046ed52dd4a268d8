import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient, Prisma } from "#prisma/generated/client.ts";
import { env } from "#lib/env.ts";

export { Prisma };
export type Tx = Prisma.TransactionClient;

function createClient(): PrismaClient {
  const { DATABASE_URL, DATABASE_POOL_SIZE } = env();
  const adapter = new PrismaPg({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL_SIZE,
    // A database that is away must become a 503 within seconds, not a hanging request (design §7).
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: "sluice",
  });
  return new PrismaClient({ adapter });
}

const holder = globalThis as { sluiceDb?: PrismaClient };

/**
 * The one client of this process. Made at first use, so that a build can load modules without a database;
 * kept on globalThis, so that the development server's reloads don't open a pool each.
 */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get(_target, property) {
    const client = (holder.sluiceDb ??= createClient());
    const value: unknown = Reflect.get(client, property, client);
    return typeof value === "function" ? (value.bind(client) as unknown) : value;
  },
});

/** Closes all connections; the next use opens new ones. For the end of a process or a test file. */
export async function disconnectDb(): Promise<void> {
  const client = holder.sluiceDb;
  delete holder.sluiceDb;
  await client?.$disconnect();
}
