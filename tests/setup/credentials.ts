import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/*
 * Credentials must not be in any output. Tests note the ones that they make; after a run, `tests/run.ts` looks for these
 * values, and for texts that look like credentials, in the output of the run and in the logs of all servers.
 */

/** Shorter values, such as "password", are also ordinary words. */
const MIN_LENGTH = 12;
/** Values are found by their beginnings. */
const START = 8;

const PATTERNS: [kind: string, pattern: RegExp][] = [
  ["an API key", /\bslc_[\w-]{40,}/],
  ["the password of a database", /\bpostgres(?:ql)?:\/\/[^\s:/@"]+:[^\s@"]{12,}@/],
  ["a session", /session-token(?:=|["\s:]+)[\w-]{20,}/],
  ["a bearer token", /\bBearer [\w.~+/-]{16,}/],
  ["an encrypted password", /\$argon2id\$/],
];

export type Credential = {
  /** File and line. */
  place: string;
  kind: string;
};

const noted = new Set<string>();

/** For values that tests make, send or set. Does nothing outside a run by `tests/run.ts`. */
export function noteCredentials(...values: (string | undefined)[]): void {
  const file = process.env.TEST_CREDENTIALS_FILE;
  if (file === undefined) return;
  for (const value of values) {
    if (value === undefined || value.length < MIN_LENGTH || value.includes("\n") || noted.has(value))
      continue;
    noted.add(value);
    appendFileSync(file, `${value}\n`);
  }
}

/** The passwords of URLs, and other secrets as they are. */
export function noteSettings(settings: Record<string, string | undefined>, names: readonly string[]): void {
  for (const name of names) {
    const value = settings[name];
    noteCredentials(value !== undefined && URL.canParse(value) ? new URL(value).password : value);
  }
}

/**
 * @param values that must not be in the text
 * @returns the lines with a credential, without it
 */
export function findCredentials(file: string, text: string, values: Iterable<string>): Credential[] {
  const byStart = Map.groupBy(values, (value) => value.slice(0, START));
  return text.split("\n").flatMap((line, index) => {
    const kind =
      PATTERNS.find(([, pattern]) => pattern.test(line))?.[0] ??
      (holds(line, byStart) ? "a noted value" : null);
    return kind === null ? [] : [{ place: `${file}:${index + 1}`, kind }];
  });
}

function holds(line: string, byStart: Map<string, string[]>): boolean {
  for (let at = 0; at + MIN_LENGTH <= line.length; at++) {
    if (byStart.get(line.slice(at, at + START))?.some((value) => line.startsWith(value, at))) return true;
  }
  return false;
}

/** In all files of a folder. */
export function scanFolder(folder: string, credentialsFile: string): { found: Credential[]; bytes: number } {
  const values = existsSync(credentialsFile)
    ? readFileSync(credentialsFile, "utf8")
        .split("\n")
        .filter((value) => value.length >= MIN_LENGTH)
    : [];
  let bytes = 0;
  const found = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    bytes += text.length;
    return findCredentials(file, text, values);
  });
  return { found, bytes };
}
