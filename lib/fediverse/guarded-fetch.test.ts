import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "#tests/setup/listen.ts";
import { remoteFailure } from "#tests/setup/remote-servers.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { RemoteError } from "./remote-error.ts";
import type { GuardedFetchOptions, GuardedResponse } from "./guarded-fetch.ts";

let origin = "";
let port = 0;
let hits = 0;
const seen: IncomingMessage[] = [];
let answer: RequestListener = (_request, response) => void response.end("ok");

beforeAll(async () => {
  const server = createServer((request, response) => {
    hits++;
    seen.push(request);
    answer(request, response);
  });
  const here = await listen(server);
  ({ port, origin } = here);
  afterAll(here.close);
});

beforeEach(() => {
  hits = 0;
  seen.length = 0;
  answer = (_request, response) => void response.end("ok");
});

function fetchHere(path: string, options: GuardedFetchOptions = {}): Promise<GuardedResponse> {
  return guardedFetch(`${origin}${path}`, { allowedOrigins: [origin], ...options });
}

async function failureOf(promise: Promise<unknown>): Promise<RemoteError> {
  const failure = await remoteFailure(promise);
  expect(failure.message).toMatch(/^.{10,200}\.$/);
  return failure;
}

function redirectTo(location: string, status = 302): RequestListener {
  return (_request, response) => void response.writeHead(status, { location }).end();
}

describe("forbidden addresses", () => {
  const hostile = () => [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://１２７.０.０.１/",
    "https://127.0.0.1./",
    `https://[::1]:${port}/`,
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://localhost/",
    "https://db/",
    "http://example.com/",
    "https://example.com:22/",
    "https://example.com:8443/",
    "https://user:pw@example.com/",
    "https://user@example.com/",
    "https://:pw@example.com/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "gopher://example.com/",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "not a url",
    "",
    "//example.com/",
  ];

  it("are refused without a connection", async () => {
    for (const url of hostile()) {
      // The port is allow-listed for another name, so only the rules can refuse it.
      const failure = await failureOf(guardedFetch(url, { allowedOrigins: ["https://fedi.lan"] }));
      expect([url, failure.kind]).toEqual([url, "refused"]);
    }
    expect(hits).toBe(0);
  });

  it("are allowed only for the scheme, host and port of an allow-listed origin", async () => {
    await failureOf(guardedFetch(`http://127.0.0.1:${port + 1}/`, { allowedOrigins: [origin] }));
    await failureOf(guardedFetch(`https://127.0.0.1:${port}/`, { allowedOrigins: [origin] }));
    await failureOf(guardedFetch(`http://127.0.0.2:${port}/`, { allowedOrigins: [origin] }));
    await failureOf(guardedFetch(`http://localhost:${port}/`, { allowedOrigins: [origin] }));
    await failureOf(guardedFetch(`http://user:pw@127.0.0.1:${port}/`, { allowedOrigins: [origin] }));
    expect(hits).toBe(0);
    expect((await fetchHere("/")).status).toBe(200);
  });
});

describe("host names", () => {
  const resolvesTo =
    (...addresses: string[]) =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback in IPv6", ["::1"]],
    ["a public and a private address", ["93.184.216.34", "10.0.0.1"]],
    ["a private and a public address", ["169.254.169.254", "93.184.216.34"]],
    ["an IPv4-mapped address", ["::ffff:127.0.0.1"]],
  ])("are refused when they resolve to %s", async (_case, addresses) => {
    const failure = await failureOf(
      guardedFetch("https://rebind.example/", { allowedOrigins: [], resolve: resolvesTo(...addresses) }),
    );
    expect(failure.kind).toBe("refused");
    expect(hits).toBe(0);
  });

  it("are resolved once per connection, to the checked address", async () => {
    let lookups = 0;
    // Public at the first lookup, our own server at the second.
    const failure = await failureOf(
      guardedFetch("https://rebind.example/", {
        allowedOrigins: [],
        timeoutMs: 300,
        resolve: () => {
          lookups++;
          return Promise.resolve([{ address: lookups === 1 ? "192.0.2.1" : "127.0.0.1", family: 4 }]);
        },
      }),
    );
    expect(lookups).toBe(1);
    expect(["refused", "timeout", "unreachable"]).toContain(failure.kind);
    expect(hits).toBe(0);
  });

  const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code }));
  it.each([
    ["without an address", resolvesTo(), /nowhere\.example/],
    ["unknown", failsWith("ENOTFOUND"), /^The host name nowhere\.example could not be found\.$/],
    [
      "not looked up without a resolver",
      failsWith("EAI_AGAIN"),
      /^No host name can be looked up here: check /,
    ],
  ])("that cannot be resolved are named: %s", async (_case, resolve, message) => {
    const failure = await failureOf(
      guardedFetch("https://nowhere.example/", { allowedOrigins: [], resolve }),
    );
    expect(failure.kind).toBe("unreachable");
    expect(failure.message).toMatch(message);
  });
});

describe("redirects", () => {
  it("are followed up to three times", async () => {
    answer = (request, response) => {
      const n = Number(request.url?.slice(1));
      if (n < 3) redirectTo(`/${n + 1}`)(request, response);
      else response.end("there");
    };
    const response = await fetchHere("/0");
    expect(response).toMatchObject({ status: 200, url: `${origin}/3` });
    expect(hits).toBe(4);
  });

  it("fail at the fourth and in a loop", async () => {
    answer = redirectTo("/again");
    expect((await failureOf(fetchHere("/again"))).kind).toBe("not_compatible");
    expect(hits).toBe(4);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "file:///etc/passwd",
    "https://u:p@example.com/",
  ])("are refused to %s", async (location) => {
    answer = redirectTo(location);
    expect((await failureOf(fetchHere("/"))).kind).toBe("refused");
    expect(hits).toBe(1);
  });

  it("fail without a valid target", async () => {
    answer = (_request, response) => void response.writeHead(302).end();
    expect((await failureOf(fetchHere("/"))).kind).toBe("not_compatible");
    answer = redirectTo("http://[");
    expect((await failureOf(fetchHere("/"))).kind).toBe("not_compatible");
  });

  it("do not send a token to another origin", async () => {
    const other = createServer((request, response) => {
      seen.push(request);
      response.end("other");
    });
    const { origin: there, close } = await listen(other);
    try {
      answer = redirectTo(`${there}/`);
      const secrets = { Authorization: "Bearer secret", Cookie: "session=secret" };
      const options = { headers: secrets, allowedOrigins: [origin, there] };
      expect((await fetchHere("/", options)).body.toString()).toBe("other");
      expect(seen.map((request) => request.headers.authorization)).toEqual(["Bearer secret", undefined]);
      expect(seen.map((request) => request.headers.cookie)).toEqual(["session=secret", undefined]);
      // A body may contain secrets, and a POST cannot be repeated as a GET.
      for (const [to, status] of [
        [`${there}/`, 307],
        ["/elsewhere", 302],
      ] as const) {
        answer = redirectTo(to, status);
        const post = await failureOf(fetchHere("/", { ...options, method: "POST", body: "{}" }));
        expect([status, post.kind]).toEqual([status, "not_compatible"]);
      }
      expect(seen.map((request) => request.method)).toEqual(["GET", "GET", "POST", "POST"]);
    } finally {
      await close();
    }
  });
});

describe("limits", () => {
  it("refuse an endless body at the cap", async () => {
    let sent = 0;
    answer = (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    const started = performance.now();
    expect((await failureOf(fetchHere("/", { maxBytes: 1_000_000 }))).kind).toBe("too_large");
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(sent).toBeLessThan(50_000_000);
  });

  it("accept a body of exactly the cap", async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { "x-ratelimit-remaining": "7" }).end("x".repeat(1_000));
    expect((await fetchHere("/", { maxBytes: 1_000 })).body.length).toBe(1_000);
    expect(await failureOf(fetchHere("/", { maxBytes: 999 }))).toMatchObject({
      kind: "too_large",
      answer: { status: 200, headers: { "x-ratelimit-remaining": "7" } },
    });
  });

  it("count the unpacked bytes of a gzip bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    answer = (_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    expect((await failureOf(fetchHere("/"))).kind).toBe("too_large");
  });

  it("unpack valid bodies and refuse invalid ones", async () => {
    const packed =
      (encoding: string, body: Buffer) => (_request: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { "content-encoding": encoding }).end(body);
    answer = packed("gzip", gzipSync("hello"));
    expect((await fetchHere("/")).body.toString()).toBe("hello");
    const twice = gzipSync(gzipSync("hello"));
    for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip"]) {
      answer = packed(encoding, encoding === "gzip, gzip" ? twice : Buffer.from("hello"));
      expect([encoding, (await failureOf(fetchHere("/"))).kind]).toEqual([encoding, "not_compatible"]);
    }
  });

  it("cut the body of an error response instead of failing", async () => {
    answer = (_request, response) => void response.writeHead(503).end("x".repeat(500_000));
    const response = await fetchHere("/");
    expect(response.status).toBe(503);
    expect(response.body.length).toBe(64 * 1024);
    answer = (_request, response) => void response.writeHead(401, { "content-encoding": "gzip" }).end();
    expect(await fetchHere("/")).toMatchObject({ status: 401, body: Buffer.alloc(0) });
  });

  it("end headers and body at the time limit of the request", async () => {
    answer = () => undefined;
    expect((await failureOf(fetchHere("/", { timeoutMs: 150 }))).kind).toBe("timeout");
    answer = (_request, response) => {
      response.writeHead(200);
      response.write("beginning");
    };
    expect((await failureOf(fetchHere("/", { timeoutMs: 150 }))).kind).toBe("timeout");
  });

  it("end stalled headers before the time limit of the request", async () => {
    answer = () => undefined;
    const started = performance.now();
    expect((await failureOf(fetchHere("/", { headersTimeoutMs: 100 }))).kind).toBe("timeout");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("abort when the caller aborts", async () => {
    answer = () => undefined;
    const patience = new AbortController();
    setTimeout(() => patience.abort(), 50);
    expect((await failureOf(fetchHere("/", { signal: patience.signal }))).kind).toBe("aborted");
  });

  it("report a broken and a refused connection", async () => {
    answer = (request) => void request.socket.destroy();
    expect((await failureOf(fetchHere("/"))).kind).toBe("unreachable");
    answer = (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    };
    expect((await failureOf(fetchHere("/"))).kind).toBe("unreachable");
    const closed = "http://127.0.0.1:9";
    const failure = await failureOf(guardedFetch(closed, { allowedOrigins: [closed] }));
    expect(failure).toMatchObject({ kind: "unreachable", message: "127.0.0.1:9 refused the connection." });
  });
});
