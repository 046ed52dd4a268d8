import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noteDatabaseError } from "#lib/db-outage.ts";
import type * as Env from "#lib/env.ts";
import { parseTrustedProxies } from "./client-address.ts";
import { replaceFailedPage } from "./outage-page.ts";
import { createWebServer, type WebServer } from "./server.ts";

vi.mock("#lib/env.ts", async (original) => {
  const { env } = await original<typeof Env>();
  return { env: () => ({ ...env(), SOURCE_URL: "https://code.example/?a=1&b=2" }) };
});

type Render = (response: ServerResponse, request: IncomingMessage) => void;

let web: WebServer;
let render: Render;
let origin: string;

beforeEach(async () => {
  web = createWebServer((request, response) => {
    replaceFailedPage(request, response);
    render(response, request);
    return Promise.resolve();
  }, parseTrustedProxies([]));
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`;
});

afterEach(() => web.drain(100));

const open = (init: RequestInit = {}) =>
  fetch(origin, { ...init, headers: { accept: "text/html", ...init.headers } });
const databaseFails = (code = "ECONNREFUSED") => noteDatabaseError({ code });

/** The ways in which Next and its compression send a failed page. */
const failures: [string, Render][] = [
  [
    "in one piece",
    (response) => {
      response.statusCode = 500;
      response.end("failed");
    },
  ],
  [
    "in pieces",
    (response) => {
      response.statusCode = 500;
      response.write("fai", () => response.end("led"));
    },
  ],
  [
    "with explicit headers",
    (response) => {
      response.writeHead(500, { "Content-Encoding": "gzip" });
      response.end("failed");
    },
  ],
];

describe.each(failures)("a page that fails %s", (_way, fail) => {
  test("is a 503 with a page of its own when the database was away", async () => {
    render = (response) => {
      databaseFails();
      response.setHeader("Content-Encoding", "gzip");
      response.setHeader("X-Frame-Options", "DENY");
      fail(response, {} as never);
    };
    const answer = await open();
    expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("content-type")]).toEqual([
      503,
      "5",
      "text/html; charset=utf-8",
    ]);
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain("<h1>The database is not reachable</h1>");
    expect(page).toContain('<a href="https://code.example/?a=1&amp;b=2" rel="noreferrer">Source code');
  });

  test.each(["57014", "55P03", "40P01"])(
    "is a 503 when the database ended a statement (%s)",
    async (code) => {
      render = (response) => {
        databaseFails(code);
        fail(response, {} as never);
      };
      const answer = await open();
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.text()).toContain("<h1>The database took too long</h1>");
    },
  );

  test("stays a 500 for another reason, also after an outage", async () => {
    databaseFails();
    render = (response) => fail(response, {} as never);
    expect((await open({ method: "HEAD" })).status).toBe(500);
  });
});

test.each(["*/*", "text/html;q=0.9", ""])(
  "a program that accepts %j gets the 503 of a page, too",
  async (accept) => {
    render = (response) => {
      databaseFails();
      response.statusCode = 500;
      response.end("failed");
    };
    const answer = await fetch(`${origin}/posts`, { headers: { accept } });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    // The API has refusals of its own.
    expect((await fetch(`${origin}/api/v1/posts`, { headers: { accept } })).status).toBe(500);
  },
);

test("a page that succeeds, and an answer for programs, are left alone during an outage", async () => {
  render = (response) => {
    databaseFails();
    response.statusCode = 200;
    response.end("fine");
  };
  const page = await open();
  expect([page.status, await page.text()]).toEqual([200, "fine"]);
  render = (response) => {
    databaseFails();
    response.statusCode = 500;
    response.end("{}");
  };
  const program = await open({ headers: { accept: "application/json" } });
  expect([program.status, await program.text()]).toEqual([500, "{}"]);
});
