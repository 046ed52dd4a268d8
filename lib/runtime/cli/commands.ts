import path from "node:path";
import { parseArgs } from "node:util";
import { commandLine, isRelease } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/* The commands of `npm run sluice`, in the order of the usage text. */

type Command = {
  /** `FILE` and options. An option without brackets is required; an option without a value is a flag. */
  words: string;
  help: string;
};

const commands: Record<string, Command> = {
  "create-account": {
    words: "--email ADDRESS [--name NAME] [--role admin|reviewer|viewer]",
    help: "Creates an account and shows its password. Default role: admin for the first account, reviewer for others.",
  },
  "reset-password": {
    words: "--email ADDRESS",
    help: "Shows a one-time link with which this member sets a new password.",
  },
  "create-key": {
    words:
      "--email ADDRESS --scopes read,consume,review,manage,keys [--name NAME] [--streams ID,ID] [--expires TIME]",
    help: "Creates an API key of this member and shows it once. A boost bot needs the scope consume.\n     --streams limits the posts that it is handed out to these streams.",
  },
  "import-fenliu": {
    words: "FILE [--dry-run]",
    help: "Takes over streams, posts, block lists and topical rules from the SQLite database of FenLiu 2 or 3,\n     into an installation without posts. --dry-run changes nothing.",
  },
  status: {
    words: "",
    help: "Shows the state of database, worker, queue and streams. Exit code 1 when the database is not ready.",
  },
  backup: {
    words: "FILE",
    help: "Writes the database into one ZIP file, also while the service runs, and reads it again to check it.",
  },
  restore: {
    words: "FILE",
    help: "Loads a backup of this version into an empty DATA_DIR, or into the empty database of DATABASE_URL.",
  },
  verify: { words: "FILE", help: "Compares a backup with its checksums." },
  migrate: {
    words: "",
    help: "Brings the database up to date with the sources, while no service uses it.\n     The start of the service does it, too.",
  },
};

export const usage = `Usage: ${commandLine("<command> [options]")}

${isRelease ? "  start\n     Starts the service.\n\n" : ""}${Object.entries(commands)
  .map(([name, { words, help }]) => `  ${name} ${words}\n     ${help}\n`)
  .join("\n")}`;

export type CommandLine = {
  name: string;
  /** Values of the options; "true" for a flag. */
  values: Record<string, string | undefined>;
  /** Absolute path of FILE, resolved in the folder from which npm was called. */
  file: string;
};

/**
 * @param args the words after `npm run sluice --`
 * @returns null to show the usage
 * @throws OperatorError for an unknown command or option, or a missing one
 */
export function parseCommandLine(args: readonly string[]): CommandLine | null {
  const [name = "help", ...rest] = args;
  if (name === "help" || args.includes("--help") || args.includes("-h")) return null;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new OperatorError(`There is no command ${name}.\n\n${usage}`);
  const known = [...command.words.matchAll(/(\[?)--([\w-]+)(?: ([^\]\s]+))?/g)].map(
    ([, bracket, option = "", value = ""]) => ({ option, value, isRequired: bracket === "" }),
  );
  const takesFile = command.words.startsWith("FILE");
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: Object.fromEntries(
        known.map(({ option, value }) => [option, { type: value === "" ? "boolean" : "string" }] as const),
      ),
      allowPositionals: takesFile,
    });
    if (takesFile && positionals.length !== 1) throw new Error(`${name} needs one file name.`);
    for (const { option, value, isRequired } of known) {
      const given = values[option];
      if (isRequired && given === undefined) throw new Error(`${name} needs --${option}.`);
      const choices = value.split("|");
      if (typeof given === "string" && choices.length > 1 && !choices.includes(given))
        throw new Error(`--${option} must be one of ${choices.join(", ")}.`);
    }
    return {
      name,
      values: Object.fromEntries(Object.entries(values).map(([option, given]) => [option, String(given)])),
      // npm changes to the project folder.
      file: path.resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0] ?? ""),
    };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}
