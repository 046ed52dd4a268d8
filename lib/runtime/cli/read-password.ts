import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";

type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/**
 * Asks at a terminal, where nothing typed is shown, or reads the first line of standard input. Not an option of the
 * command line, which every user of the machine can see.
 *
 * @returns empty without a line
 */
export async function readPassword(
  input: Input = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  const isTerminal = input.isTTY === true;
  if (isTerminal) output.write("Password (empty: one is generated): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: isTerminal });
  lines.once("SIGINT", () => process.exit(130));
  const first = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (isTerminal) output.write("\n");
  return first.done ? "" : first.value;
}
