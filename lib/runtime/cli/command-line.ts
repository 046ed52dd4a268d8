import path from "node:path";
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

  backup FILE
      Writes the database into one ZIP file, also while the service runs, and reads it again to check it.
      BACKUP_PASSPHRASE encrypts AUTH_SECRET and ENCRYPTION_KEY into it; without it they are left out.

  restore FILE [--keep-refusals FOLDER] [--without-secrets]
      Loads a backup into an empty DATA_DIR, or into the empty database of DATABASE_URL. --keep-refusals takes deletions
      and refusals that are newer than the backup over from the former data folder. Instead of a folder it may be the
      URL of the former database.

  verify FILE
      Compares a backup with its checksums.

  migrate
      Brings the database up to date with the sources, while no service uses it. The start of the service does it, too.

  rotate-encryption-key [--discard]
      Encrypts everything again, from ENCRYPTION_KEY_OLD to ENCRYPTION_KEY, or to a new key in DATA_DIR. Stop the service
      first. --discard removes values that neither key decrypts, when the former key is lost.
`;

export const memberCommands: readonly string[] = ["create-account", "reset-password", "create-key"];
export const fileCommands: readonly string[] = ["backup", "restore", "verify"];
export const ROTATE = "rotate-encryption-key";
export const commandNames: readonly string[] = [...memberCommands, ...fileCommands, "migrate", ROTATE];

export type CommandLine = {
  command: string;
  email: string;
  name: string | undefined;
  role: string | undefined;
  password: string | undefined;
  scopes: string[] | undefined;
};

/**
 * @param args after `npm run sluice --`
 * @throws OperatorError for an unknown option or a missing --email
 */
export function parseCommandLine(args: string[]): CommandLine {
  const [command = "", ...rest] = args;
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

export type FileCommandLine = {
  command: string;
  file: string;
  withoutSecrets: boolean;
  /** A folder or the URL of a database. */
  keepRefusals: string | undefined;
};

/**
 * @param args after `npm run sluice --`
 * @throws OperatorError for an unknown option or a missing file
 */
export function parseFileCommand(args: string[]): FileCommandLine {
  const [command = "", ...rest] = args;
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options:
        command === "restore"
          ? { "without-secrets": { type: "boolean" }, "keep-refusals": { type: "string" } }
          : {},
    });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error(`${command} needs one file name.`);
    // npm runs scripts in the project folder, and names the folder of its caller.
    const absolute = (name: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name);
    const place = values["keep-refusals"];
    const former = typeof place === "string" ? place : undefined;
    return {
      command,
      file: absolute(file),
      withoutSecrets: values["without-secrets"] === true,
      keepRefusals: former === undefined || former.includes("://") ? former : absolute(former),
    };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}

/** @throws OperatorError for any argument */
export function parseMigrate(args: string[]): void {
  if (args.length > 0) throw new OperatorError(`migrate takes no options.\n\n${usage}`);
}

/** @throws OperatorError for an unknown option */
export function parseRotation(args: string[]): { mayDiscard: boolean } {
  try {
    const { values } = parseArgs({ args: args.slice(1), options: { discard: { type: "boolean" } } });
    return { mayDiscard: values.discard === true };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}

const HOW_TO_SET =
  'Settings are variables, as in "PORT=8080 npm start", or lines in .env; .env.example lists them all with their defaults.';

/** The reply to arguments of `npm start`, which takes none. */
export function replyToArguments(args: string[]): { sentence: string; isHelp: boolean } | null {
  const [arg] = args;
  if (arg === undefined) return null;
  const isHelp = arg === "--help" || arg === "-h";
  return { sentence: isHelp ? HOW_TO_SET : `There is no option ${arg} here. ${HOW_TO_SET}`, isHelp };
}

export function rejectArguments(): void {
  const reply = replyToArguments(process.argv.slice(2));
  if (reply === null) return;
  if (reply.isHelp) say(reply.sentence);
  else explainEnd(new OperatorError(reply.sentence));
  process.exit(reply.isHelp ? 0 : 1);
}
