import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";

export interface CurlRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The `curl` lines of a Markdown file's shell blocks. */
export function curlLines(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => (block ?? "").split("\n"))
    .filter((line) => line.startsWith("curl "));
}

/**
 * The request of a line with `-X`, `-H` and `-d`. A shell reads the line, and curl need not be installed.
 *
 * @throws Error for other options
 */
export function readCurl(line: string, variables: Record<string, string>): CurlRequest {
  const script = `set -u; curl() { printf '%s\\0' "$@"; }; ${line}`;
  const words = execFileSync("sh", ["-c", script], {
    env: { NODE_ENV: "test", ...variables },
    encoding: "utf8",
  });
  const { values, positionals } = parseArgs({
    args: words.split("\0").slice(0, -1),
    allowPositionals: true,
    options: {
      request: { type: "string", short: "X", default: "GET" },
      header: { type: "string", short: "H", multiple: true, default: [] },
      data: { type: "string", short: "d" },
    },
  });
  const headers = values.header.map((each) => each.split(/: */, 2) as [string, string]);
  const [url = ""] = positionals;
  return { method: values.request, url, headers: Object.fromEntries(headers), body: values.data };
}
