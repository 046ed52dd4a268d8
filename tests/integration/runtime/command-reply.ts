import { applicationCommands } from "#lib/runtime/cli/application-commands.ts";
import { parseCommandLine } from "#lib/runtime/cli/commands.ts";

/** The reply of `npm run sluice -- <args>`, without its process, and with an empty standard input. */
export async function sluice<Data = Record<string, unknown>>(...args: string[]) {
  const line = parseCommandLine(args);
  const reply = await applicationCommands[line?.name ?? ""]?.(line as NonNullable<typeof line>, () =>
    Promise.resolve(""),
  );
  return { ...reply, data: reply?.data as Data, text: reply?.lines.join("\n") ?? "" };
}
