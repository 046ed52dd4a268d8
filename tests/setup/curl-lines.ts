export interface CurlRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * The `curl` lines of a Markdown file's shell blocks. Tests run them with `fetch`, so that curl need not be
 * installed.
 */
export function curlLines(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => (block ?? "").split("\n"))
    .filter((line) => line.startsWith("curl "));
}

/**
 * Parses a line with quotes, `\"`, `$NAME`, `-X`, `-H`, `-d`.
 *
 * @throws Error for other syntax
 */
export function readCurl(line: string, variables: Record<string, string>): CurlRequest {
  const [program, ...words] = shellWords(line, variables);
  if (program !== "curl") throw new Error(`not a curl line: ${line}`);
  const request: CurlRequest = { method: "GET", url: "", headers: {}, body: undefined };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith("-")) {
      request.url = word;
      continue;
    }
    const value = words.shift();
    if (value === undefined) throw new Error(`${word} has no value in: ${line}`);
    if (word === "-X") request.method = value;
    else if (word === "-d") request.body = value;
    else if (word === "-H") {
      const colon = value.indexOf(":");
      request.headers[value.slice(0, colon)] = value.slice(colon + 1).trim();
    } else throw new Error(`${word} is not supported in: ${line}`);
  }
  return request;
}

function shellWords(line: string, variables: Record<string, string>): string[] {
  const words: string[] = [];
  const pattern = /"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s"']+)/g;
  for (const [, double, single, bare] of line.matchAll(pattern)) {
    if (single !== undefined) words.push(single);
    else words.push(expand((double ?? bare ?? "").replace(/\\(.)/g, "$1"), variables));
  }
  return words;
}

function expand(text: string, variables: Record<string, string>): string {
  return text.replace(/\$(\w+)/g, (_whole, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`$${name} is not set`);
    return value;
  });
}
