import pg from "pg";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** @throws OperatorError when the database cannot be reached */
export async function connect(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  // A lost connection is reported by the running statement.
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new OperatorError(
      `The database cannot be reached (${(error as Error).message}): check DATABASE_URL.`,
    );
  }
  return client;
}
