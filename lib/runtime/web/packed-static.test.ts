import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packStatic, servePacked } from "./packed-static.ts";

const script = "console.log('a gate decides');\n".repeat(200);
let folder = "";
let server: Server;
let origin = "";

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sluice-packed-"));
  mkdirSync(path.join(folder, "chunks"));
  writeFileSync(path.join(folder, "chunks", "[a]~1.js"), script);
  writeFileSync(path.join(folder, "chunks", "small.js"), "1");
  writeFileSync(path.join(folder, "chunks", "style.css"), "p { color: teal }\n".repeat(200));
  writeFileSync(path.join(folder, "font.woff2"), Buffer.alloc(4_000));
  await packStatic(folder);
  writeFileSync(path.join(folder, "chunks", "later.js"), script);
  const packed = servePacked(folder, [{ key: "X-Content-Type-Options", value: "nosniff" }]);
  server = createServer((req, res) => {
    if (!packed(req, res)) res.writeHead(404).end("Next");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static/`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function get(name: string, encoding: string | undefined, method: "GET" | "HEAD" | "POST" = "GET") {
  const answer = await request(origin + name, {
    method,
    headers: encoding === undefined ? {} : { "accept-encoding": encoding },
  });
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}

describe("servePacked", () => {
  it("serves brotli, or gzip to clients that do not accept brotli", async () => {
    const best = await get("chunks/[a]~1.js", "gzip, deflate, br");
    expect(best.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/javascript; charset=UTF-8",
      "content-length": String(best.bytes.length),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    expect(brotliDecompressSync(best.bytes).toString()).toBe(script);
    const older = await get("chunks/%5Ba%5D~1.js?v=1", "gzip, br;q=0");
    expect(older.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(older.bytes).toString()).toBe(script);
    expect((await get("chunks/style.css", "br")).headers["content-type"]).toBe("text/css; charset=UTF-8");
  });

  it("answers HEAD without a body", async () => {
    const answer = await get("chunks/[a]~1.js", "br", "HEAD");
    expect(answer.bytes).toHaveLength(0);
    expect(Number(answer.headers["content-length"])).toBeGreaterThan(10);
  });

  it.each([
    ["no Accept-Encoding header", "chunks/[a]~1.js", undefined, "GET"],
    ["all codings refused", "chunks/[a]~1.js", "identity, br;q=0.0, gzip; q=0", "GET"],
    ["a small file", "chunks/small.js", "br", "GET"],
    ["a file added after the build", "chunks/later.js", "br", "GET"],
    ["a file of another type", "font.woff2", "br", "GET"],
    ["another method", "chunks/[a]~1.js", "br", "POST"],
    ["a path outside of the folder", "../chunks/[a]~1.js", "br", "GET"],
    ["the name of a compressed file", "chunks/[a]~1.js.br", "br", "GET"],
  ] as const)("leaves to Next: %s", async (_what, name, encoding, method) => {
    const answer = await get(name, encoding, method);
    expect(answer.statusCode).toBe(404);
    expect(answer.bytes.toString()).toBe("Next");
  });
});
