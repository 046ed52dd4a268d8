import { parseArgs } from "node:util";
import { explainEnd, OperatorError, say } from "../terminal.ts";

export const usage = `Usage: npm run sluice -- <command> [options]

  create-account --email ADDRESS [--name NAME] [--role admin|reviewer|viewer] [--password PASSWORD]
      Makes an account. The first one is an admin unless told otherwise, later ones reviewers. Without a password
      one is made and shown.

  reset-password --email ADDRESS
      Shows a one-time link under which this member sets a new password.

  create-key --email ADDRESS [--name NAME] [--scopes read,consume,review,manage,keys]
      Makes an API key of this member and shows it, this once.
`;

export const commandNames: readonly string[] = ["create-account", "reset-password", "create-key"];

export type CommandLine = {
  command: string;
  email: string;
  name: string | undefined;
  role: string | undefined;
  password: string | undefined;
  scopes: string[] | undefined;
};

/**
 * Reads the words after `npm run sluice --`.
 * @throws OperatorError for an option that does not exist, or a missing address
 */
export function parseCommandLine(words: string[]): CommandLine {
  const [command = "", ...rest] = words;
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      args: rest,
      options: { email: text, name: text, role: text, password: text, scopes: text },
    });
    if (values.email === undefined) throw new Error(`${command} needs --email.`);
    const scopes = values.scopes?.split(/[\s,]+/).filter(Boolean);
    const { email, name, role, password } = values;
    return { command, email, name, role, password, scopes };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}

const HOW_TO_SET =
  'Settings are variables, as in "PORT=8080 npm start", or lines in .env; .env.example lists them all with their defaults.';

/**
 * What starting the service says to words behind it (`npm start -- --port 8080`): it takes none, and passing them over
 * would start something else than was asked for.
 * @returns null without words; `isHelp` when that is what was asked for
 */
export function answerToWords(words: string[]): { sentence: string; isHelp: boolean } | null {
  const [word] = words;
  if (word === undefined) return null;
  const isHelp = word === "--help" || word === "-h";
  return { sentence: isHelp ? HOW_TO_SET : `There is no option ${word} here. ${HOW_TO_SET}`, isHelp };
}

/** Ends the process with a sentence when words follow a command that takes none. */
export function takeNoWords(): void {
  const answer = answerToWords(process.argv.slice(2));
  if (answer === null) return;
  if (answer.isHelp) say(answer.sentence);
  else explainEnd(new OperatorError(answer.sentence));
  process.exit(answer.isHelp ? 0 : 1);
}
