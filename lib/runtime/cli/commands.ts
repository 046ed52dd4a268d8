import path from "node:path";
import { parseArgs } from "node:util";
import { commandLine, release } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

/* The commands of `npm run sluice`, in the order of the usage text. */

/**
 * - `file`: without a Prisma client.
 * - `migrate`: before the Prisma client is made.
 * - `application`: with a migrated database, as the application (application/).
 */
type Runs = "file" | "migrate" | "application";

type Command = {
  runs: Runs;
  help: string;
  /** Name to placeholder of the value; an empty one is a flag. */
  options?: Record<string, string>;
  required?: readonly string[];
  /** Of one argument without a name. */
  argument?: string;
};

const commands: Record<string, Command> = {
  "create-account": {
    runs: "application",
    options: { email: "ADDRESS", name: "NAME", role: "admin|reviewer|viewer" },
    required: ["email"],
    help: "Creates an account. Default role: admin for the first account, reviewer for others. Asks for the password, or reads it from standard input; when it is empty, one is generated and shown.",
  },
  "reset-password": {
    runs: "application",
    options: { email: "ADDRESS" },
    required: ["email"],
    help: "Shows a one-time link with which this member sets a new password.",
  },
  "create-key": {
    runs: "application",
    options: {
      email: "ADDRESS",
      scopes: "read,consume,review,manage,keys",
      name: "NAME",
      streams: "ID,ID",
      expires: "TIME",
    },
    required: ["email", "scopes"],
    help: "Creates an API key of this member and shows it once. A boost bot needs the scope consume. --streams binds it to these streams.",
  },
  "import-fenliu": {
    runs: "application",
    argument: "FILE",
    options: { "dry-run": "" },
    help: "Takes over streams, posts, block lists and topical rules from the SQLite database of FenLiu 2 or 3, into an installation without posts. Run it again after an interruption. --dry-run changes nothing. --json names every row that is not taken.",
  },
  status: {
    runs: "application",
    help: "Shows the state of database, worker, queue and streams. Exit code 1 when the database is not ready.",
  },
  backup: {
    runs: "file",
    argument: "FILE",
    help: "Writes the database into one ZIP file, also while the service runs, and reads it again to check it.",
  },
  restore: {
    runs: "file",
    argument: "FILE",
    help: "Loads a backup of this version into an empty DATA_DIR, or into the empty database of DATABASE_URL.",
  },
  verify: { runs: "file", argument: "FILE", help: "Compares a backup with its checksums." },
  migrate: {
    runs: "migrate",
    help: "Brings the database up to date with the sources, while no service uses it. The start of the service does it, too.",
  },
};

export const commandNames: readonly string[] = Object.keys(commands);

/** npm has a script for it. */
const startUsage = release === null ? "" : "  start\n     Starts the service.\n\n";

export const usage = `Usage: ${commandLine("<command> [options]")}

${startUsage}${Object.entries(commands)
  .map(([name, command]) => `  ${synopsis(name, command)}\n${wrap(command.help)}`)
  .join("\n\n")}

Every command takes --json.
`;

function synopsis(name: string, { options = {}, required = [], argument }: Command): string {
  const words = Object.entries(options).map(([option, value]) => {
    const word = value === "" ? `--${option}` : `--${option} ${value}`;
    return required.includes(option) ? word : `[${word}]`;
  });
  return [name, argument, ...words].filter((word) => word !== undefined).join(" ");
}

function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (`${lines.at(-1)} ${word}`.length > 100) lines.push("");
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines.map((line) => `     ${line}`).join("\n");
}

export type CommandLine = {
  name: string;
  runs: Runs;
  values: Record<string, string | undefined>;
  flags: ReadonlySet<string>;
  /** Absolute path of the argument, with the folder of npm's caller. */
  file: string;
  json: boolean;
};

/**
 * @param args after `npm run sluice --`
 * @returns null to show the usage
 * @throws OperatorError for an unknown command or option, or a missing one
 */
export function parseCommandLine(args: readonly string[]): CommandLine | null {
  const [name = "help", ...rest] = args;
  if (name === "help" || args.includes("--help") || args.includes("-h")) return null;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new OperatorError(`There is no command ${name}.\n\n${usage}`);
  try {
    const options: Record<string, { type: "boolean" | "string" }> = Object.fromEntries(
      Object.entries({ ...command.options, json: "" }).map(([option, value]) => [
        option,
        { type: value === "" ? ("boolean" as const) : ("string" as const) },
      ]),
    );
    const { values, positionals } = parseArgs({
      args: rest,
      options,
      allowPositionals: command.argument !== undefined,
    });
    const missing = command.required?.find((option) => values[option] === undefined);
    if (missing !== undefined) throw new Error(`${name} needs --${missing}.`);
    if (positionals.length !== (command.argument === undefined ? 0 : 1))
      throw new Error(`${name} needs one file name.`);
    const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
    for (const [option, value] of texts) {
      const choices = command.options?.[option]?.split("|") ?? [];
      if (choices.length > 1 && !choices.includes(String(value)))
        throw new Error(`--${option} must be one of ${choices.join(", ")}.`);
    }
    const flags = new Set(Object.keys(values).filter((option) => values[option] === true));
    return {
      name,
      runs: command.runs,
      values: Object.fromEntries(texts) as Record<string, string>,
      flags,
      file: fromCaller(positionals[0] ?? ""),
      json: flags.has("json"),
    };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${usage}`);
  }
}

/** npm runs scripts in the project folder, and names the folder of its caller. */
export function fromCaller(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), file);
}
