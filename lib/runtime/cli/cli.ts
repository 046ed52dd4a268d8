import { fork } from "node:child_process";
import { loadSettings } from "#lib/runtime/settings.ts";
import { explainEnd, say } from "#lib/runtime/terminal.ts";
import { commandNames, parseCommandLine, usage } from "./command-line.ts";

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
  parseCommandLine(process.argv.slice(2));
} catch (error) {
  explainEnd(error);
  process.exit(1);
}

const settings = loadSettings();
const { childEnvironment, dataDirOf } = await import("#lib/runtime/settings.ts");
const { startEmbeddedPostgres } = await import("#lib/runtime/postgres/embedded.ts");
const { migrate } = await import("#lib/runtime/postgres/migrate.ts");
const { ensurePrismaClient } = await import("#lib/runtime/install/prisma-client.ts");
const { runningDatabaseUrl } = await import("#lib/runtime/postgres/embedded.ts");

try {
  await ensurePrismaClient();
  const dataDir = dataDirOf(settings);
  const known = settings.DATABASE_URL ?? (await runningDatabaseUrl(dataDir));
  const own = known === null ? await startEmbeddedPostgres({ dataDir, say }) : null;
  const url = known ?? own?.url ?? "";
  try {
    await migrate(settings.DIRECT_URL ?? url);
    process.exitCode = await runCommand(url);
  } finally {
    await own?.stop();
  }
} catch (error) {
  explainEnd(error);
  process.exitCode = 1;
}

/** In a child process: settings are read once, and the database URL is known only now. */
function runCommand(url: string): Promise<number> {
  const child = fork(new URL("./command.ts", import.meta.url), process.argv.slice(2), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {
      ...childEnvironment(settings, { url, port: settings.PORT, publicUrl: settings.PUBLIC_URL }),
      LOG_LEVEL: "warn",
    },
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
