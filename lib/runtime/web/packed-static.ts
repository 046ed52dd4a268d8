import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzipSync } from "node:zlib";

/*
 * Scripts and styles are packed once, when they are built, with brotli at its best: an eighth less to load than what
 * Next packs with gzip at each request, and no work then. A platform with a network of its own does this by itself.
 */

const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};
/** Bytes; below this packing gains nothing. */
const SMALLEST = 1_000;
const PREFIX = "/_next/static";

function packable(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => path.extname(name) in TYPES,
  );
}

/** Writes a `.br` beside each script and style of a build. */
export async function packStatic(folder: string): Promise<void> {
  const pack = promisify(brotliCompress);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Promise.all(
    packable(folder).map(async (name) => {
      const plain = readFileSync(path.join(folder, name));
      if (plain.length < SMALLEST) return;
      writeFileSync(path.join(folder, `${name}.br`), await pack(plain, { params }));
    }),
  );
}

/**
 * What answers requests for packed files, from memory: a build that replaces them under a running server takes
 * nothing away from its pages. It answers false for everything else, which stays Next's: other files, methods, and
 * builds that were not packed.
 * @param headers those that every answer carries
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
      // The name changes with the content.
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

/** The better of the codings a client takes (RFC 9110 §12.5.3); null for one that takes neither. */
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

/** Names hold brackets, which browsers escape or not. */
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
