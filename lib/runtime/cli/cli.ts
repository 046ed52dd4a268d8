import { fork } from "node:child_process";
import type { Env } from "#lib/base/env.ts";
import { commandHeapFlags } from "#lib/base/machine-memory.ts";
import { loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError, reportToStderr, say } from "#lib/runtime/terminal.ts";
import { type CommandLine, parseCommandLine, usage } from "./commands.ts";

/*
 * `npm run sluice -- <command>`. Uses the database of a running service, or starts the built-in one for the
 * command.
 */

try {
  // Reports a wrong option before starting a database.
  const line = parseCommandLine(process.argv.slice(2));
  if (line === null) console.log(usage);
  else {
    if (line.json) reportToStderr();
    process.exitCode = await run(line, loadSettings());
  }
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}
// Commands on files leave handlers of signals.
process.exit();

async function run(line: CommandLine, settings: Env): Promise<number> {
  if (line.runs === "file") {
    const { runFileCommand } = await import("./file-commands.ts");
    reply(line, await runFileCommand(line, settings));
  } else return runWithDatabase(line, settings);
  return 0;
}

/** Sentences of these commands are printed by then; with --json on standard error. */
function reply({ json }: CommandLine, data: object): void {
  if (json) console.log(JSON.stringify(data, null, 2));
}

async function runWithDatabase(line: CommandLine, settings: Env): Promise<number> {
  const { name } = line;
  const { childEnvironment } = await import("#lib/runtime/settings.ts");
  const { openCommandDatabase } = await import("#lib/runtime/postgres/access.ts");
  const { requireDatabaseOfSources, SourcesChanged } =
    await import("#lib/runtime/postgres/compare-sources.ts");
  const { migrate } = await import("#lib/runtime/postgres/migrate.ts");
  const { arePackagesInUse } = await import("#lib/runtime/install/packages-in-use.ts");
  const { ensurePrismaClient, isPrismaClientCurrent } = await import("#lib/runtime/install/prisma-client.ts");
  const { url, directUrl, dataDir, isRunning, settled, stop } = await openCommandDatabase(settings);
  try {
    if (name !== "migrate") {
      await requireDatabaseOfSources(directUrl, isRunning);
      // A running service may still load the present client.
      if (!(await isPrismaClientCurrent()) && arePackagesInUse()) throw new SourcesChanged();
      await ensurePrismaClient();
    } else if (isRunning) throw new OperatorError("The service runs: stop it first.");
    // Of an empty database; after the comparison above there is nothing else.
    const applied = await migrate(directUrl);
    const { PORT: port, PUBLIC_URL: publicUrl } = settings;
    const environment = childEnvironment(settings, { dataDir, url, port, publicUrl });
    settled();
    if (name !== "migrate") return await runApplication(environment);
    say(`The database is up to date; migrations applied: ${applied.length}.`);
    reply(line, { applied });
    return 0;
  } finally {
    await stop();
  }
}

/** In a child process: settings are read once, and the database URL is known only now. */
function runApplication(environment: NodeJS.ProcessEnv): Promise<number> {
  const child = fork(new URL("./application/run.ts", import.meta.url), process.argv.slice(2), {
    execArgv: ["--disable-warning=ExperimentalWarning", ...commandHeapFlags],
    env: { ...environment, LOG_LEVEL: "warn" },
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
