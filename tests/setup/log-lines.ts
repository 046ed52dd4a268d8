import type { Readable } from "node:stream";

/** Calls `take` with each line and its end; the last one may lack it. */
export function splitLines(stream: Readable, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/(?<=\n)/);
    rest = lines.at(-1)?.endsWith("\n") ? "" : (lines.pop() ?? "");
    lines.forEach(take);
  });
  stream.on("end", () => rest !== "" && take(rest));
}

/** Of the service's log (lib/log.ts), not of a test runner. */
export function isLogLine(line: string): boolean {
  return line.startsWith('{"level":') && line.includes('"app":"sluice"');
}
