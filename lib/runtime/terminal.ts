import { SettingsError } from "#lib/env.ts";

/*
 * What a person at the terminal sees. Everything else (requests, jobs) goes to the log.
 */

let lineIsOpen = false;

// Somebody may close the pipe (`npm start | head`); that must not take the server down.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

/** Prints a whole sentence on a line of its own. */
export function say(sentence: string): void {
  closeLine();
  console.log(sentence);
}

/**
 * Runs one step, naming it before and showing how long it took afterwards.
 * @param label what is being done, as "Building the screens"
 */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  closeLine();
  const begun = performance.now();
  process.stdout.write(`  ${label} …`);
  lineIsOpen = true;
  const ticker = setInterval(() => {
    say(`    … ${label.charAt(0).toLowerCase()}${label.slice(1)}, ${secondsSince(begun)} so far`);
  }, 10_000);
  try {
    const result = await work();
    process.stdout.write(lineIsOpen ? ` ${secondsSince(begun)}\n` : `    ${secondsSince(begun)}\n`);
    lineIsOpen = false;
    return result;
  } finally {
    clearInterval(ticker);
    closeLine();
  }
}

/** As "3.4 s", since a value of performance.now(). */
export function secondsSince(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

/** Tells a person why it ended: sentences for what they can put right, the stack for what they cannot. */
export function explainEnd(error: unknown): void {
  closeLine();
  if (error instanceof SettingsError) for (const problem of error.problems) console.error(problem);
  else if (error instanceof OperatorError) console.error(error.message);
  else console.error(systemSentence(error) ?? error);
}

/** What the system refused, where the operator can change that. */
function systemSentence(error: unknown): string | null {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOSPC") return "The disk is full: make room and start again.";
  if (path !== undefined && (code === "EACCES" || code === "EPERM" || code === "EROFS")) {
    return `${path} cannot be written to: start Sluice as the user it belongs to.`;
  }
  return null;
}

function closeLine(): void {
  if (lineIsOpen) process.stdout.write("\n");
  lineIsOpen = false;
}

/**
 * Something that whoever runs Sluice can put right. Its message is one sentence that says what is wrong and
 * what to do; it is shown without a stack trace.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
