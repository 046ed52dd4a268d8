import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";

/* Scripts and styles, compressed once at build time (docs/decisions/0009-own-web-server.md). */

const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};
const MIN_PACKED_BYTES = 1_000;
const PREFIX = "/_next/static";

function packable(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => path.extname(name) in TYPES,
  );
}

export async function packStatic(folder: string): Promise<void> {
  const pack = promisify(brotliCompress);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Promise.all(
    packable(folder).map(async (name) => {
      const plain = readFileSync(path.join(folder, name));
      if (plain.length < MIN_PACKED_BYTES) return;
      writeFileSync(path.join(folder, `${name}.br`), await pack(plain, { params }));
    }),
  );
}

/**
 * Serves from memory, so that a rebuild does not break pages of the running server. The handler returns
 * false for requests it does not answer.
 * @param headers added to each response
 */
export function servePacked(
  folder: string,
  headers: readonly { key: string; value: string }[],
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map<string, { br: Buffer; gzip: Buffer; type: string }>();
  const common = Object.fromEntries(headers.map(({ key, value }) => [key, value]));
  for (const name of packable(folder)) {
    const file = path.join(folder, name);
    const br = readIfThere(`${file}.br`);
    const type = TYPES[path.extname(name)];
    if (br === null || type === undefined) continue;
    files.set(`${PREFIX}/${name.replaceAll(path.sep, "/")}`, {
      br,
      gzip: gzipSync(readFileSync(file)),
      type,
    });
  }
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const url = request.url ?? "";
    if (!url.startsWith(PREFIX)) return false;
    const file = files.get(decoded(url.split("?", 1)[0] ?? ""));
    const encoding = accepted(request.headers["accept-encoding"]);
    if (file === undefined || encoding === null) return false;
    const body = file[encoding];
    response.writeHead(200, {
      ...common,
      "Content-Type": file.type,
      "Content-Encoding": encoding,
      "Content-Length": body.length,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

/** The preferred accepted coding (RFC 9110 §12.5.3). */
function accepted(header: string | string[] | undefined): "br" | "gzip" | null {
  const taken = new Set(
    String(header ?? "")
      .toLowerCase()
      .split(",")
      .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
      .map((each) => each.split(";", 1)[0]?.trim()),
  );
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : null;
}

/** Some browsers escape brackets. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
