import { fork } from "node:child_process";
import type { Env } from "#lib/base/env.ts";
import { commandHeapFlags } from "#lib/base/machine-memory.ts";
import { childEnvironment, loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError, reportToStderr } from "#lib/runtime/terminal.ts";
import { parseCommandLine, usage } from "./commands.ts";

/*
 * `npm run sluice -- <command>`. Uses the database of a running service, or starts the built-in one for the
 * command.
 */

// Runs the exit handlers, which remove an unfinished archive.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  // Reports a wrong option before starting a database.
  const line = parseCommandLine(process.argv.slice(2));
  if (line === null) console.log(usage);
  else {
    // Sentences go to standard error, so that standard output is JSON.
    if (line.json) reportToStderr();
    const settings = loadSettings();
    if (!line.isPlain) process.exitCode = await runApplication(settings);
    else {
      const { plainCommands } = await import("./plain-commands.ts");
      const data = await plainCommands[line.name]?.(line.file, settings);
      if (line.json) console.log(JSON.stringify(data, null, 2));
    }
  }
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}
process.exit();

/** In a child process: settings are read once, and the database URL is known only now. */
async function runApplication(settings: Env): Promise<number> {
  const { openCommandDatabase } = await import("#lib/runtime/postgres/access.ts");
  const { migrate, requireCurrent } = await import("#lib/runtime/postgres/migrate.ts");
  const { ensurePrismaClient, isPrismaClientCurrent } = await import("#lib/runtime/install/prisma-client.ts");
  const { url, directUrl, dataDir, isRunning, stop } = await openCommandDatabase(settings);
  try {
    await requireCurrent(directUrl, isRunning);
    if (isRunning && !isPrismaClientCurrent())
      throw new OperatorError("The sources have changed: stop the service and start it first.");
    await ensurePrismaClient();
    // Of an empty database; after the comparison above there is nothing else.
    await migrate(directUrl);
    const { PORT: port, PUBLIC_URL: publicUrl } = settings;
    const child = fork(new URL("./application/run.ts", import.meta.url), process.argv.slice(2), {
      execArgv: ["--disable-warning=ExperimentalWarning", ...commandHeapFlags],
      env: { ...childEnvironment(settings, { dataDir, url, port, publicUrl }), LOG_LEVEL: "warn" },
    });
    return await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  } finally {
    await stop();
  }
}
