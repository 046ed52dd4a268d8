import { SettingsError } from "#lib/base/env.ts";

/* Output for the operator; requests and jobs write to the log. */

// A closed pipe (`npm start | head`) must not end the server.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

export function say(sentence: string): void {
  console.log(sentence);
}

/** Tells the operator how to sign in for the first time. Null if there were accounts before. */
export function setupSentence(setup: { setup_url: string | null; created: string | null }): string | null {
  if (setup.created !== null) return `Created the first account from ADMIN_EMAIL: ${setup.created}`;
  if (setup.setup_url === null) return null;
  return `There is no account yet. Create the first one with this one-time link: ${setup.setup_url}`;
}

export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  say(`  ${label} …`);
  const ticker = setInterval(() => say(`    … ${secondsSince(begun)} so far`), 10_000);
  try {
    const result = await work();
    say(`    ${secondsSince(begun)}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

/**
 * @param begun time of performance.now()
 * @returns for example "3.4 s"
 */
export function secondsSince(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

/** Reports the error that ends a process, with a stack trace only if the operator cannot fix it. */
export function explainEnd(error: unknown): void {
  if (error instanceof SettingsError) for (const problem of error.problems) console.error(problem);
  else if (error instanceof OperatorError) console.error(error.message);
  else console.error(systemSentence(error) ?? error);
}

function systemSentence(error: unknown): string | null {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOSPC") return "The disk is full: make room and start again.";
  if (path !== undefined && (code === "EACCES" || code === "EPERM" || code === "EROFS")) {
    return `${path} cannot be written to: start Sluice as the user it belongs to.`;
  }
  return null;
}

/** A problem that the operator can fix: one sentence, shown without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
