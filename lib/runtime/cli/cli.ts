import { fork } from "node:child_process";
import { loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError, say } from "#lib/runtime/terminal.ts";
import {
  commandNames,
  fileCommands,
  memberCommands,
  parseCommandLine,
  parseFileCommand,
  parseMigrate,
  parseRotation,
  ROTATE,
  usage,
} from "./command-line.ts";

/*
 * `npm run sluice -- <command>`. Uses the database of a running service, or starts the built-in one for the
 * command.
 */

const [name = "help", ...options] = process.argv.slice(2);
const asksForHelp = name === "help" || [name, ...options].some((word) => word === "--help" || word === "-h");
if (asksForHelp || !commandNames.includes(name)) {
  if (!asksForHelp) console.error(`There is no command ${name}.\n`);
  console.log(usage);
  process.exit(asksForHelp ? 0 : 1);
}

try {
  // Reports a wrong option before starting a database.
  if (name === "migrate") parseMigrate(options);
  else if (name === ROTATE) parseRotation(process.argv.slice(2));
  else if (memberCommands.includes(name)) parseCommandLine(process.argv.slice(2));
  else parseFileCommand(process.argv.slice(2));
} catch (error) {
  explainEnd(error);
  process.exit(1);
}

const settings = loadSettings();
if (name === ROTATE || fileCommands.includes(name)) {
  try {
    if (name === ROTATE) {
      const { rotateKey } = await import("./rotate-key.ts");
      await rotateKey(parseRotation(process.argv.slice(2)), settings);
    } else {
      const { runFileCommand } = await import("./file-commands.ts");
      await runFileCommand(parseFileCommand(process.argv.slice(2)), settings);
    }
    process.exit(0);
  } catch (error) {
    explainEnd(error);
    process.exit(1);
  }
}
const { childEnvironment } = await import("#lib/runtime/settings.ts");
const { openCommandDatabase } = await import("#lib/runtime/postgres/access.ts");
const { requireDatabaseOfSources, SourcesChanged } = await import("#lib/runtime/postgres/compare-sources.ts");
const { settleEncryptionKey } = await import("#lib/runtime/encryption-key.ts");
const { migrate } = await import("#lib/runtime/postgres/migrate.ts");
const { arePackagesInUse } = await import("#lib/runtime/install/packages-in-use.ts");
const { ensurePrismaClient, isPrismaClientCurrent } = await import("#lib/runtime/install/prisma-client.ts");

try {
  const { url, ownerUrl, appRole, dataDir, isRunning, settled, stop } = await openCommandDatabase(settings);
  try {
    if (name !== "migrate") {
      await requireDatabaseOfSources(ownerUrl, isRunning);
      // A running service may still load the present client.
      if (!(await isPrismaClientCurrent()) && arePackagesInUse()) throw new SourcesChanged();
      await ensurePrismaClient();
    } else if (isRunning) throw new OperatorError("The service runs: stop it first.");
    // Of an empty database, and the rights of its role; after the comparison above there is nothing else.
    const applied = await migrate(ownerUrl, appRole);
    if (name !== "migrate") await settleEncryptionKey(ownerUrl, dataDir, settings);
    const { PORT: port, PUBLIC_URL: publicUrl } = settings;
    const environment = childEnvironment(settings, { dataDir, url, port, publicUrl });
    settled();
    if (name === "migrate") say(`The database is up to date; migrations applied: ${applied.length}.`);
    else process.exitCode = await runCommand(environment);
  } finally {
    await stop();
  }
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}

/** In a child process: settings are read once, and the database URL is known only now. */
function runCommand(environment: NodeJS.ProcessEnv): Promise<number> {
  const child = fork(new URL("./command.ts", import.meta.url), process.argv.slice(2), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...environment, LOG_LEVEL: "warn" },
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
