import { disconnectDb } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { parseCommandLine } from "#lib/runtime/cli/commands.ts";
import { explainEnd, OperatorError } from "#lib/runtime/terminal.ts";
import { applicationCommands } from "./commands.ts";
import { readPassword } from "./read-password.ts";

/* The process of a command that uses the application's code. */

try {
  const line = parseCommandLine(process.argv.slice(2));
  const command = line === null ? undefined : applicationCommands[line.name];
  if (line === null || command === undefined) throw new Error(`no code for ${process.argv[2]}`);
  const { data, lines, isFailure = false } = await command(line, readPassword);
  console.log(line.json ? JSON.stringify(data, null, 2) : lines.join("\n"));
  if (isFailure) process.exitCode = 1;
} catch (error) {
  explainEnd(error instanceof ApiError ? new OperatorError(`${error.message}.`) : error);
  process.exitCode = 1;
} finally {
  await disconnectDb();
  process.disconnect?.();
}
