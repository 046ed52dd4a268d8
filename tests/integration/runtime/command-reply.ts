import { applicationCommands } from "#lib/runtime/cli/application-commands.ts";
import { parseCommandLine } from "#lib/runtime/cli/commands.ts";

/** What `npm run sluice -- <args>` prints, without its process, and with an empty standard input. */
export async function sluice(...args: string[]): Promise<string> {
  const line = parseCommandLine(args);
  const lines = await applicationCommands[line?.name ?? ""]?.(line as NonNullable<typeof line>, () =>
    Promise.resolve(""),
  );
  return lines?.join("\n") ?? "";
}
