import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { watchPool, type WatchTimes } from "#lib/db-watch.ts";
import { env } from "#lib/env.ts";
import { PrismaClient, Prisma } from "#prisma/generated/client.ts";

export { Prisma };
export type Tx = Prisma.TransactionClient;

/** What is sent with a new connection. pg has it, its types do not; `tests/integration/server-settings.test.ts` watches. */
interface Starting {
  getStartupConf(): Record<string, string>;
}

const PlainClient = pg.Client as unknown as new (config?: pg.ClientConfig) => pg.Client & Starting;

/**
 * Prisma's adapter writes times without a zone and reads them without looking at theirs, so a server that keeps the
 * time of its own place would shift every moment. Said with the connection, as every driver may, this costs no round
 * trip, and a transaction pooler keeps to it.
 */
class UtcClient extends PlainClient {
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: "UTC", DateStyle: "ISO, MDY" };
  }
}

/**
 * Opens a pool of its own. Exported for tests that stand between it and the database.
 * @param url default DATABASE_URL
 */
export function createClient(url = env().DATABASE_URL, times?: WatchTimes): PrismaClient {
  const pool = new pg.Pool({
    Client: UtcClient,
    connectionString: url,
    max: env().DATABASE_POOL_SIZE,
    // A database that is away must become a 503 within seconds, not a hanging request (design §7).
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    // A peer that vanished while nothing was asked is found by the system: ten seconds, then ten probes a second.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "sluice",
  });
  watchPool(pool, url, times);
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
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
