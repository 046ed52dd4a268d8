import { applicationCommands } from "#lib/runtime/cli/application-commands.ts";
import { parseCommandLine } from "#lib/runtime/cli/commands.ts";

/** What `npm run sluice -- <args>` prints, without its process. */
export async function sluice(...args: string[]): Promise<string> {
  const line = parseCommandLine(args);
  const lines = await applicationCommands[line?.name ?? ""]?.(line as NonNullable<typeof line>);
  return lines?.join("\n") ?? "";
}
