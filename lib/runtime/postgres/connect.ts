import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isConnectionLimit } from "#lib/base/errors.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** Time that a start waits while other processes use all connections. */
const WAIT_MS = 20_000;

/** @throws OperatorError that says what to change */
export async function connectToMigrate(url: string, wait = WAIT_MS): Promise<pg.Client> {
  const deadline = Date.now() + wait;
  for (;;) {
    try {
      // Also reads the files that the URL names.
      const client = new pg.Client({ connectionString: url, application_name: "sluice-migrate" });
      // A lost connection is reported by the running statement.
      client.on("error", () => undefined);
      await client.connect();
      return client;
    } catch (error) {
      if (!isConnectionLimit(error) || Date.now() > deadline) throw new OperatorError(reasonOf(error));
      await sleep(500);
    }
  }
}

/** A database that is starting, restarting or not yet in the name service, as beside it in one compose file. */
const NOT_YET = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "57P03", // cannot_connect_now
]);

/**
 * Waits until the database accepts connections. Other errors, such as a wrong password, are left to the first real use.
 *
 * @param limit milliseconds; after that, too, the first use reports the error
 * @returns whether it accepts connections
 */
export async function waitForDatabase(url: string, limit: number): Promise<boolean> {
  const deadline = Date.now() + limit;
  for (;;) {
    const code = await connectionError(url);
    if (code === undefined) return true;
    if (!NOT_YET.has(code) || Date.now() > deadline) return false;
    await sleep(500);
  }
}

/** False also when no answer comes within three seconds. */
export async function canConnect(url: string): Promise<boolean> {
  return (await connectionError(url)) === undefined;
}

async function connectionError(url: string): Promise<string | undefined> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
    client.on("error", () => undefined);
    await client.connect();
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code ?? (/timeout/i.test(message) ? "ETIMEDOUT" : "");
  } finally {
    await client?.end().catch(() => undefined);
  }
}

const untrusted = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_UNTRUSTED",
]);

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  if (isConnectionLimit(error)) {
    return `The database has no connection left (${message}): lower DATABASE_POOL_SIZE, or allow more connections.`;
  }
  if (code !== undefined && untrusted.has(code)) {
    return `The database's certificate is signed by an authority that this machine does not know (${message}): add sslrootcert=/path/to/authority.pem to DATABASE_URL, or start with NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the environment.`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `The database's certificate is for another host name (${message}): use the name in the certificate as the host of DATABASE_URL.`;
  }
  return `The database cannot be reached (${message}): check DATABASE_URL.`;
}
