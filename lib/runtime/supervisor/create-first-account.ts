import { fork } from "node:child_process";
import { once } from "node:events";
import type { Setup } from "#lib/accounts/ensure-setup.ts";
import type { Env } from "#lib/base/env.ts";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import type { FirstAccount } from "./first-account.ts";

/**
 * If there is no account, creates the first one or its link. Runs in a process of its own, so that the other processes never
 * get ADMIN_PASSWORD.
 * @param directUrl URL of the migrated database
 * @throws OperatorError when ADMIN_EMAIL or ADMIN_PASSWORD is not valid
 */
export async function createFirstAccount(
  directUrl: string,
  environment: NodeJS.ProcessEnv,
  { ADMIN_EMAIL, ADMIN_PASSWORD }: Pick<Env, "ADMIN_EMAIL" | "ADMIN_PASSWORD">,
): Promise<Setup> {
  const client = await connect(directUrl, "sluice-setup");
  const { rowCount } = await client.query("SELECT FROM member LIMIT 1");
  await client.end();
  if (rowCount === 1) return { setup_url: null, created: null };
  const child = fork(new URL("./first-account.ts", import.meta.url), {
    env: { ...environment, ADMIN_EMAIL, ADMIN_PASSWORD },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let answer: FirstAccount = { problem: "The process for the first account ended while it was starting." };
  child.on("message", (message: FirstAccount) => (answer = message));
  await once(child, "exit");
  if ("problem" in answer) throw new OperatorError(answer.problem);
  return answer;
}
