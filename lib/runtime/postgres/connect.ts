import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isConnectionLimit } from "#lib/base/errors.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** Longest wait for a database that is starting, or whose connections are all in use. */
const WAIT_MS = 20_000;

/** Error codes of a database that is starting, restarting, full or not yet in the name service. */
const PASSING = new Set(
  // 57P03: cannot_connect_now.
  "ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ETIMEDOUT 57P03".split(" "),
);

/** Connects to a database. @throws OperatorError that says what to change */
export async function connect(url: string, name: string, waitMs = WAIT_MS): Promise<pg.Client> {
  for (const deadline = Date.now() + waitMs; ; await sleep(500)) {
    let client: pg.Client | undefined;
    try {
      // Also reads the files that the URL names.
      client = new pg.Client({ connectionString: url, application_name: name });
      // A lost connection is reported by the running statement.
      client.on("error", () => undefined);
      await client.connect();
      return client;
    } catch (error) {
      void client?.end().catch(() => undefined);
      const isPassing = PASSING.has((error as { code?: string }).code ?? "") || isConnectionLimit(error);
      if (!isPassing || Date.now() > deadline) throw new OperatorError(reasonOf(error));
    }
  }
}

function reasonOf(error: unknown): string {
  const { code = "", message } = error as { code?: string; message: string };
  if (isConnectionLimit(error))
    return `The database has no connection left (${message}): lower DATABASE_POOL_SIZE, or allow more connections.`;
  if (/CERT|UNABLE_TO_/.test(code)) {
    return `The database's certificate is not trusted here (${message}): use the host name of the certificate, and add sslrootcert=/path/to/authority.pem to DATABASE_URL, or start with NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the environment.`;
  }
  return `The database cannot be reached (${message}): check DATABASE_URL.`;
}
