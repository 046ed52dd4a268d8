import { ApiError } from "#lib/base/errors.ts";
import { forgetEnv, type Env } from "#lib/base/env.ts";
import { childEnvironment, loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError } from "#lib/runtime/terminal.ts";
import { type CommandLine, parseCommandLine, usage } from "./commands.ts";

/*
 * `npm run sluice -- <command>`. Uses the database of a running service, or starts the built-in one for the
 * command.
 */

// Runs the exit handlers, which remove an unfinished archive.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  // Reports a wrong option before starting a database.
  const line = parseCommandLine(process.argv.slice(2));
  console.log(line === null ? usage : (await run(line, loadSettings())).join("\n"));
} catch (error) {
  explainEnd(error instanceof ApiError ? new OperatorError(`${error.message}.`) : error);
  process.exitCode = 1;
}
process.exit();

async function run(line: CommandLine, settings: Env): Promise<string[]> {
  const { plainCommands } = await import("./plain-commands.ts");
  return plainCommands[line.name]?.(line.file, settings) ?? runApplication(line, settings);
}

/** Loads the modules that read settings only now, because the URL of the database must be known before. */
async function runApplication(line: CommandLine, settings: Env): Promise<string[]> {
  const { openCommandDatabase } = await import("#lib/runtime/postgres/access.ts");
  const { migrate } = await import("#lib/runtime/postgres/migrate.ts");
  const { ensurePrismaClient } = await import("#lib/runtime/install/prisma-client.ts");
  const { url, directUrl, dataDir, stop } = await openCommandDatabase(settings);
  try {
    await migrate(directUrl, { onlyEmpty: true });
    await ensurePrismaClient();
    const { PORT: port, PUBLIC_URL: publicUrl } = settings;
    const environment = childEnvironment(settings, { dataDir, url, port, publicUrl });
    for (const [name, value] of Object.entries({ ...environment, LOG_LEVEL: "warn" }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    forgetEnv();
    const { applicationCommands } = await import("./application-commands.ts");
    const { disconnectDb } = await import("#lib/base/db.ts");
    const command = applicationCommands[line.name] as (typeof applicationCommands)[string];
    try {
      return await command(line);
    } finally {
      await disconnectDb();
    }
  } finally {
    await stop();
  }
}
