import { parseArgs } from "node:util";
import { explainEnd, OperatorError, say } from "#lib/runtime/terminal.ts";

export const usage = `Usage: npm run sluice -- <command> [options]

  create-account --email ADDRESS [--name NAME] [--role admin|reviewer|viewer] [--password PASSWORD]
      Creates an account. Default role: admin for the first account, reviewer for others. Without --password one
      is generated and shown.

  reset-password --email ADDRESS
      Shows a one-time link with which this member sets a new password.

  create-key --email ADDRESS [--name NAME] [--scopes read,consume,review,manage,keys]
      Creates an API key of this member and shows it once.
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
 * @param words after `npm run sluice --`
 * @throws OperatorError for an unknown option or a missing --email
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

/** The reply to arguments of `npm start`, which takes none. */
export function answerToWords(words: string[]): { sentence: string; isHelp: boolean } | null {
  const [word] = words;
  if (word === undefined) return null;
  const isHelp = word === "--help" || word === "-h";
  return { sentence: isHelp ? HOW_TO_SET : `There is no option ${word} here. ${HOW_TO_SET}`, isHelp };
}

export function takeNoWords(): void {
  const answer = answerToWords(process.argv.slice(2));
  if (answer === null) return;
  if (answer.isHelp) say(answer.sentence);
  else explainEnd(new OperatorError(answer.sentence));
  process.exit(answer.isHelp ? 0 : 1);
}
