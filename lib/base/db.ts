import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient, Prisma } from "#prisma/generated/client.ts";
import { watchPool, type WatchTimes } from "./db-watch.ts";
import { env } from "./env.ts";

export { Prisma };
export type Tx = Prisma.TransactionClient;

/** Startup parameters are missing in pg's types. */
interface StartupConfig {
  getStartupConf(): Record<string, string>;
}

const PlainClient = pg.Client as unknown as new (config?: pg.ClientConfig) => pg.Client & StartupConfig;

/**
 * Prisma's adapter reads and writes times without a zone, so another zone than UTC would shift them. Startup
 * parameters cost no round trip and work with a transaction pooler.
 */
class UtcClient extends PlainClient {
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: "UTC", DateStyle: "ISO, MDY" };
  }
}

/**
 * A client with a pool of its own, in UTC. Most callers use `db`.
 *
 * @param times of the watch, for tests
 */
export function createClient(url = env().DATABASE_URL, times?: WatchTimes): PrismaClient {
  const { DATABASE_POOL_SIZE: max, VERCEL } = env();
  // Some unused connections stay open, so that the first request after a pause need not connect. A suspended function
  // could not close them.
  const keep = VERCEL === undefined ? Math.floor(max / 4) : 0;
  const pool = new pg.Pool({
    Client: UtcClient,
    connectionString: url,
    application_name: "sluice",
    max,
    min: Math.min(keep, max - 1),
    idleTimeoutMillis: 5_000,
    // A request must get a 503 within seconds when the database is away.
    connectionTimeoutMillis: 5_000,
    // Detects a vanished peer on an idle connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  watchPool(pool, url, times);
  // Tests wait until it is idle.
  holder.sluicePool = pool;
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: nameOf }),
    // The default of 2 s is less than the pool waits for a connection.
    transactionOptions: { maxWait: 10_000 },
  });
}

/**
 * Name under which each connection prepares a statement: the word in a comment at its start. Statements whose planning
 * takes longer than their work have one; others are planned for their values. Only on the built-in database, because a
 * pooler in front of another one may refuse prepared statements.
 */
function nameOf({ sql }: { sql: string }): string {
  if (process.env.SLUICE_BUILT_IN_DATABASE !== "1") return "";
  return /^\s*\/\* (\w+) \*\//.exec(sql)?.[1] ?? "";
}

const holder = globalThis as { sluiceDb?: PrismaClient; sluicePool?: pg.Pool };

/**
 * Created at first use, so that a build needs no database; on globalThis, so that reloads of the development server do
 * not open a pool each.
 */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get(_target, property) {
    const client = (holder.sluiceDb ??= createClient());
    const value: unknown = Reflect.get(client, property, client);
    return typeof value === "function" ? (value.bind(client) as unknown) : value;
  },
});

/** Closes the pool of `db`; its next use opens another. */
export async function disconnectDb(): Promise<void> {
  const client = holder.sluiceDb;
  delete holder.sluiceDb;
  await client?.$disconnect();
}
