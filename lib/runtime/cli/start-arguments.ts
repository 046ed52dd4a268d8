import { START_COMMAND } from "#lib/runtime/release/release.ts";
import { explainEnd, OperatorError, say } from "#lib/runtime/terminal.ts";

const HOW_TO_SET = `Settings are variables, as in "PORT=8080 ${START_COMMAND}", or lines in .env; .env.example lists them all with their defaults.`;

/** The reply to arguments of `npm start`, which takes none. */
export function replyToArguments(args: string[]): { sentence: string; isHelp: boolean } | null {
  const [arg] = args;
  if (arg === undefined) return null;
  const isHelp = arg === "--help" || arg === "-h";
  return { sentence: isHelp ? HOW_TO_SET : `There is no option ${arg} here. ${HOW_TO_SET}`, isHelp };
}

export function rejectArguments(): void {
  const reply = replyToArguments(process.argv.slice(2));
  if (reply === null) return;
  if (reply.isHelp) say(reply.sentence);
  else explainEnd(new OperatorError(reply.sentence));
  process.exit(reply.isHelp ? 0 : 1);
}
