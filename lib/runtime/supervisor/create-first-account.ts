import type { Setup } from "#lib/accounts/ensure-setup.ts";
import type { Env } from "#lib/base/env.ts";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { supervise } from "./supervised-child.ts";

/** Time for the process to end. */
const LIMIT_MS = 5_000;

/**
 * Without any account, makes the first one or its link, in a process that ends then: the other processes never get
 * ADMIN_PASSWORD.
 * @param directUrl of the migrated database
 * @throws OperatorError when ADMIN_EMAIL or ADMIN_PASSWORD is not valid
 */
export async function createFirstAccount(
  directUrl: string,
  environment: NodeJS.ProcessEnv,
  { ADMIN_EMAIL, ADMIN_PASSWORD }: Pick<Env, "ADMIN_EMAIL" | "ADMIN_PASSWORD">,
): Promise<Setup> {
  const none = { setup_url: null, created: null };
  const client = await connect(directUrl, "sluice-setup");
  const { rowCount } = await client.query("SELECT FROM member LIMIT 1").finally(() => client.end());
  if (rowCount === 1) return none;
  const child = supervise({
    name: "process for the first account",
    file: new URL("./first-account.ts", import.meta.url),
    env: { ...environment, ADMIN_EMAIL, ADMIN_PASSWORD },
  });
  const { setup = none } = await child.ready;
  await child.stop(LIMIT_MS);
  return setup;
}
