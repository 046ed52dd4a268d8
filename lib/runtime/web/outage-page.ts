import type { IncomingMessage, ServerResponse } from "node:http";
import { databaseFailureSince, type DatabaseFailure } from "#lib/db-outage.ts";
import { env } from "#lib/env.ts";

const words: Record<DatabaseFailure, { title: string; heading: string }> = {
  away: { title: "Database not reachable", heading: "The database is not reachable" },
  canceled: { title: "Database too slow", heading: "The database took too long" },
};

const page = ({ title, heading }: (typeof words)[DatabaseFailure], source: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sluice</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 1.5rem; box-sizing: border-box; text-align: center; }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
  p { margin: 0 0 1rem; max-width: 26rem; }
</style>
<main>
  <h1>${heading}</h1>
  <p>Nothing is lost: decisions wait in this browser until they are stored. Try again in a few seconds.</p>
  <p><a href="">Try again</a></p>
  <p><small>${source}</small></p>
</main>
</html>
`;

/** Required on every page by section 13 of the AGPL. */
function sourceNote(url: string | undefined): string {
  if (url === undefined) return "Source code (AGPL): ask the operator";
  return `<a href="${new URL(url).href.replaceAll("&", "&amp;")}" rel="noreferrer">Source code (AGPL)</a>`;
}

/** Headers of Next's answer that describe its content. */
const OF_CONTENT = /^(?:content-|transfer-encoding$|cache-control$|link$|vary$|etag$|x-nextjs-)/;

type Method = (...args: unknown[]) => unknown;

/** Paths whose answers are not pages. */
const FOR_PROGRAMS = /^\/(?:api|media|health|info|livez|readyz|metrics)(?:[/?]|$)/;

/** A navigation within the application (`rsc`) loads the page again after a failure. */
function isPage({ url = "", headers }: IncomingMessage): boolean {
  const { accept = "*/*" } = headers;
  return !FOR_PROGRAMS.test(url) && headers.rsc === undefined && /\btext\/html\b|\*\/\*|^$/.test(accept);
}

/**
 * Answers 503 with a plain page where Next would answer 500 because the database is away or ended a statement: Next cannot
 * give an error of a page another status. A page whose outline was sent (`loading.tsx`) has its status already.
 */
export function replaceFailedPage(request: IncomingMessage, response: ServerResponse): void {
  if (!isPage(request)) return;
  const begun = performance.now();
  const original = {
    writeHead: response.writeHead.bind(response) as Method,
    write: response.write.bind(response) as Method,
    end: response.end.bind(response) as Method,
  };
  let replaced = false;

  function replaceIfOutage(status: number): boolean {
    if (replaced) return true;
    const failure = response.headersSent || status !== 500 ? null : databaseFailureSince(begun);
    if (failure === null) return false;
    replaced = true;
    const body = page(words[failure], sourceNote(env().SOURCE_URL));
    for (const name of response.getHeaderNames()) if (OF_CONTENT.test(name)) response.removeHeader(name);
    original.writeHead(503, {
      "Retry-After": "5",
      "Cache-Control": "no-store",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    original.end(...(request.method === "HEAD" ? [] : [body]));
    return true;
  }

  // Node calls it also when headers are sent implicitly.
  response.writeHead = (...args: unknown[]) => {
    if (!replaceIfOutage(Number(args[0]))) original.writeHead(...args);
    return response;
  };
  response.write = (...args: unknown[]) => {
    if (!replaceIfOutage(response.statusCode)) return original.write(...args) as boolean;
    callBack(args);
    return true;
  };
  response.end = (...args: unknown[]) => {
    if (replaceIfOutage(response.statusCode)) callBack(args);
    else original.end(...args);
    return response;
  };
}

function callBack(args: unknown[]): void {
  const done = args.at(-1);
  if (typeof done === "function") process.nextTick(done);
}
