import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { secretNames, variableNames } from "#lib/base/env.ts";
import { OperatorError } from "./terminal.ts";

/** Variables of Node.js, the system, libpq and Docker Compose, which may stand in .env as well. */
const OTHER_NAMES =
  /^(NODE_|NEXT_|NPM_|npm_|PG|COMPOSE_|DOCKER_|LC_|UV_|SSL_CERT_|TZ$|LANG$|PATH$|ENV_FILE$|(HTTPS?|NO|ALL)_PROXY$)/i;

/**
 * Existing variables win. `process.loadEnvFile` ignores the first variable after a byte-order mark.
 *
 * @returns a warning for each name that no setting has
 * @throws OperatorError when the file cannot be read
 */
export function readSettingsFile(file: string, environment: NodeJS.ProcessEnv): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError(`The settings in ${file} cannot be read (${(error as Error).message}).`);
  }
  const variables = Object.entries(parseEnv(text.replace(/^\ufeff/, "")));
  for (const [name, value] of variables) environment[name] ??= value;
  const known = new Set([...variableNames, ...secretNames.map((secret) => `${secret}_FILE`)]);
  return variables
    .filter(([name]) => !known.has(name) && !OTHER_NAMES.test(name))
    .map(([name]) => `There is no setting ${name}, which is in ${file}.`);
}

/**
 * Replaces NAME_FILE, the path of a file with a secret, by NAME. Docker and Kubernetes provide secrets as files.
 *
 * @throws OperatorError when a file cannot be read, or when both variables are set
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): void {
  for (const name of secretNames) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (environment[name]?.trim()) throw new OperatorError(`${name} and ${name}_FILE are both set.`);
    try {
      environment[name] = readFileSync(file, "utf8").trim();
    } catch (error) {
      throw new OperatorError(`${name}_FILE cannot be read (${(error as Error).message}).`);
    }
    if (environment[name] === "") throw new OperatorError(`${name}_FILE names an empty file, ${file}.`);
    delete environment[`${name}_FILE`];
  }
}
