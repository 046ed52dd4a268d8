import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { log } from "#lib/base/log.ts";
import { listen } from "#tests/setup/listen.ts";
import { addressList } from "./client-address.ts";
import { createWebServer, isPlainTarget, type WebServer } from "./server.ts";

let web: WebServer;
let port: number;
let handled: IncomingMessage[];
let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

beforeEach(async () => {
  handled = [];
  handle = (request, response) => {
    if (request.url?.startsWith("/api/v1/known") !== true) response.statusCode = 404;
    else if (request.method === "OPTIONS") response.writeHead(204, { Allow: "GET, HEAD, OPTIONS" });
    response.end(request.method === "GET" ? "handled" : undefined);
    return Promise.resolve();
  };
  web = createWebServer(
    (request, response) => {
      handled.push(request);
      return handle(request, response);
    },
    addressList([]),
    ["https://desk.example"],
  );
  ({ port } = await listen(web.server));
});

afterEach(() => web.drain(100));

/** Returns the response once the server closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

function ask(method: string, target: string, headers = ""): Promise<string> {
  return raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
}

describe("a well-formed request", () => {
  test("reaches the handler with the request id of the response", async () => {
    const answer = await ask("GET", "/api/v1/known?x=1");
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const id = /x-request-id: (\S+)/i.exec(answer)?.[1];
    expect(handled[0]?.headers["x-request-id"]).toBe(id);
    expect(answer).toMatch(/cache-control: no-store/i);
  });

  test("keeps a valid request id and replaces an invalid one", async () => {
    expect(await ask("GET", "/api/v1/known", "X-Request-Id: trace-1.a:b\r\n")).toMatch(
      /X-Request-Id: trace-1\.a:b\r/,
    );
    expect(await ask("GET", "/api/v1/known", 'X-Request-Id: a"b\r\n')).not.toContain('a"b');
    expect(await ask("GET", "/api/v1/known", `X-Request-Id: ${"a".repeat(129)}\r\n`)).not.toContain("aaa");
  });

  test("loses Next's internal headers on API paths only", async () => {
    const ofNext =
      "RSC: 1\r\nNext-Router-Prefetch: 1\r\nX-Middleware-Prefetch: 1\r\nX-Now-Route-Matches: 1=7\r\n";
    await ask("GET", "/api/v1/known", `${ofNext}X-API-Key: k\r\n`);
    expect(Object.keys(handled[0]?.headers ?? {}).sort()).toEqual(
      ["connection", "host", "x-api-key", "x-forwarded-for", "x-request-id"].sort(),
    );
    await ask("GET", "/streams", ofNext);
    expect(handled[1]?.headers).toMatchObject({ rsc: "1", "x-middleware-prefetch": "1" });
  });

  test("cannot set its client address, and the log names the proxy that is not declared, once", async () => {
    const warn = vi.spyOn(log, "warn");
    await ask("GET", "/api/v1/known", "X-Forwarded-For: 1.2.3.4\r\n");
    await ask("GET", "/api/v1/known", "X-Forwarded-For: 1.2.3.4\r\n");
    expect(handled[0]?.headers["x-forwarded-for"]).toBe("unknown");
    const lines = warn.mock.calls.filter(([, text]) => String(text).includes("TRUSTED_PROXIES"));
    expect(lines).toEqual([[{ peer: expect.stringContaining("127.0.0.1") as string }, expect.any(String)]]);
  });
});

describe("a malformed request", () => {
  test.each(["/api/v1/known/", "/api/v1//known", "//api/v1/known", "/api/v1/known/%ff", "*"])(
    "GET %s is answered 404 in JSON without the handler",
    async (target) => {
      const answer = await ask("GET", target);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toMatch(/content-type: application\/json/i);
      expect(answer).toMatch(/x-request-id: \S+/i);
      expect(answer.endsWith('{"detail":"Not found","code":"not_found"}')).toBe(true);
      expect(handled).toEqual([]);
    },
  );

  test.each(["PROPFIND", "TRACE", "NONSENSE"])(
    "%s is answered 405 on a known path and 404 elsewhere",
    async (method) => {
      const known = await ask(method, "/api/v1/known");
      expect(known).toMatch(/^HTTP\/1\.1 405 /);
      expect(known).toMatch(/allow: GET, HEAD, OPTIONS\r/i);
      expect(known).toContain('{"detail":"Method not allowed","code":"method_not_allowed"}');
      expect(await ask(method, "/api/v1/unknown")).toMatch(/^HTTP\/1\.1 404 /);
      expect(await ask(method, "/api/v1/known/")).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test("is answered 400 when it is not HTTP, and 431 when its headers are too large", async () => {
    expect(await raw("hello there\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [^]*\{"detail":"Malformed request","code":"malformed_request"\}$/,
    );
    expect(await ask("GET", "/", `X: ${"a".repeat(20_000)}\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [^]*too large","code":"headers_too_large"\}$/,
    );
    expect(await raw("CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(/^HTTP\/1\.1 405 /);
  });

  test("gets CORS headers only for allowed origins and API paths", async () => {
    const from = (origin: string, target: string) => ask("PROPFIND", target, `Origin: ${origin}\r\n`);
    const allowed = "Access-Control-Allow-Origin: https://desk.example";
    expect(await from("https://desk.example", "/api/v1/known")).toContain(allowed);
    expect(await from("https://desk.example", "/api/v1//known")).toContain(allowed);
    expect(await from("https://other.example", "/api/v1/known")).not.toContain("Access-Control");
    expect(await from("https://desk.example", "/streams")).not.toContain("Access-Control");
  });

  test("is refused outside the API when its body is large or has no length", async () => {
    expect(await ask("POST", "/api/auth/x", "Content-Length: 300000\r\n")).toMatch(/^HTTP\/1\.1 413 /);
    expect(await ask("POST", "/api/auth/x", "Transfer-Encoding: chunked\r\n")).toMatch(/^HTTP\/1\.1 411 /);
    expect(handled).toEqual([]);
  });
});

test("answers 500 with a fixed text when the handler fails", async () => {
  handle = () => Promise.reject(new Error("secret detail"));
  const answer = await ask("GET", "/api/v1/known");
  expect(answer).toMatch(/^HTTP\/1\.1 500 [^]*\{"detail":"Internal server error","code":"internal"\}$/);
});

describe("draining", () => {
  test("lets a running request finish and accepts no new connection", async () => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    handle = (_request, response) => promise.then(() => void response.end("finished"));
    const answer = ask("GET", "/api/v1/known");
    await expect.poll(() => handled.length).toBe(1);
    const drained = web.drain(5_000);
    await expect(ask("GET", "/api/v1/known")).rejects.toThrow("ECONNREFUSED");
    finish();
    expect(await answer).toContain("finished");
    await drained;
  });

  test("closes connections of requests that do not finish in time", async () => {
    handle = () => new Promise(() => {});
    const answer = ask("GET", "/api/v1/known");
    await expect.poll(() => handled.length).toBe(1);
    const begun = Date.now();
    await web.drain(200);
    expect(Date.now() - begun).toBeLessThan(2_000);
    expect(await answer.catch(() => "")).toBe("");
  });
});

test.each([
  [
    true,
    "/ /queue /queue/ /api/v1/posts /api/v1/posts?limit=5&next=//x/ /api/v1/posts/12%20 /api/v1/posts?q=%ff",
  ],
  [true, "/api/v1/authors/%40a%40b.example /.well-known/security.txt /%E2%9C%93"],
  [false, "* // //api/v1/posts /api//v1/posts /api/v1/posts/ /api/v1/posts/?limit=5 /health/ /readyz/?x=1"],
  [
    false,
    "/media/post/1/0/ /api/v1/posts/%ff /api/v1/posts/% /api/v1/posts/%zz /api/v1/posts/%00 /api/v1/posts/..",
  ],
  [false, "/api/v1/posts/../stats /api/v1/posts/%2e%2e/stats /./api/v1/posts /api\\v1/posts"],
])("isPlainTarget is %s for %s", (isPlain, targets) => {
  expect(targets.split(" ").filter((target) => isPlainTarget(target) !== isPlain)).toEqual([]);
  expect(isPlainTarget("")).toBe(false);
});
