import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import { ApiError, statusOf } from "#lib/errors.ts";
import type { AnyOperation, Method } from "#lib/http/operation.ts";
import { registeredPaths } from "#lib/http/operation.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { call, type CallOptions, type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";

/* Checks the rules of docs/api.md on every registered endpoint. */

type Endpoint = { base: string; path: string; method: Method; op: AnyOperation };
type Handlers = Record<Method | "HEAD" | "OPTIONS", RouteHandler>;
type Failure = { detail: string; errors?: { path: string; message: string }[] };

/** Bodies for endpoints whose example would do more than the test needs. */
const bodies: Record<string, unknown> = {
  "POST /posts/{id}/review": { approved: true },
};

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const endpoints: Endpoint[] = registeredPaths()
  .filter(({ base, path: route }) => existsSync(fileOf(base, route)))
  .flatMap(({ base, path: route, operations }) =>
    Object.entries(operations).map(([method, op]) => ({ base, path: route, method: method as Method, op })),
  );
const named = (list: Endpoint[]) => list.map((each) => [`${each.method} ${each.path}`, each] as const);
const closed = endpoints.filter(({ op }) => op.auth !== "none");
const withIds = endpoints.filter(({ op }) => (op.ids?.length ?? 0) > 0);
const withBody = endpoints.filter(({ op }) => op.body !== undefined);

function fileOf(base: string, route: string): string {
  return path.resolve("app", `.${base}${route.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");
}

async function handlersOf({ base, path: route }: Endpoint): Promise<Handlers> {
  return (await import(/* @vite-ignore */ pathToFileURL(fileOf(base, route)).href)) as Handlers;
}

let key = "";
beforeAll(async () => {
  // The first key has the id 1, and calls with that id rotate it.
  await makeKey();
  key = await makeKey();
});

/** A new session, because some endpoints end it. */
async function session(): Promise<Record<string, string>> {
  return sessionHeaders(await makeMember("admin"));
}

/** Calls an endpoint with permission. Any valid answer except 500 passes. */
async function ask(
  endpoint: Endpoint,
  options: Partial<CallOptions> & { anonymous?: boolean; ids?: string } = {},
) {
  const { anonymous = false, ids = "1", ...rest } = options;
  const method = (rest.method ?? endpoint.method) as Method;
  const params = Object.fromEntries(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1] ?? "", ids]),
  );
  const target = endpoint.base + endpoint.path.replace(/\{\w+\}/g, encodeURIComponent(ids));
  const who = anonymous ? {} : endpoint.op.sessionOnly ? { headers: await session() } : { key };
  const handler = (await handlersOf(endpoint))[method];
  const answer = await call<Failure>(handler, {
    path: target,
    params,
    ...who,
    ...rest,
    method,
    body: method === "GET" || method === ("HEAD" as Method) ? undefined : rest.body,
    headers: { ...(who as { headers?: Record<string, string> }).headers, ...rest.headers },
  });
  expect(answer.status, `${method} ${target} ${answer.text}`).not.toBe(500);
  expect(answer.headers.get("x-request-id")).toMatch(/^[\w.:-]{1,128}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  if (answer.status >= 400 && method !== ("HEAD" as Method)) {
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.json.detail).toBeTypeOf("string");
  }
  return answer;
}

function bodyOf({ method, path: route, op }: Endpoint): unknown {
  const example = bodies[`${method} ${route}`] ?? op.body?.meta()?.example;
  return op.body === undefined ? undefined : (example ?? {});
}

/** An address that is wrong in every way but its path. */
function malformed({ base, path: route, op }: Endpoint): string {
  const shape = (op.query as { shape?: object } | undefined)?.shape ?? {};
  const query = new URLSearchParams([...Object.keys(shape), "dry_run"].map((name) => [name, "\0"]));
  return `${base}${route.replace(/\{\w+\}/g, "%00")}?${query}`;
}

function unknown({ op }: Endpoint, raw: string): string {
  const code = op.errors?.find((each) => statusOf(each) === 404) ?? "not_found";
  return new ApiError(code, { id: raw }).message;
}

const more = [
  "a\0",
  "",
  "abc",
  "0",
  "-1",
  "1e2",
  "1.5",
  "true",
  "'",
  "%",
  "0000-01-01",
  "99999999999999999999",
];
const odd = ["\0", "\ud800", ...(process.env.TEST_SLOW ? [...more, "9999-12-31T23:59:59-14:00"] : [])];

/** Copies of a value, each with a NUL character in one of its texts. */
function withNul(value: unknown): unknown[] {
  if (typeof value === "string") return ["\0", `${value}\0`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => withNul(item).map((changed): unknown => value.with(at, changed)));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    withNul(inner).map((changed) => ({ ...value, [name]: changed })),
  );
}

const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown;
const moreValues = [
  true,
  -1,
  2147483648,
  "",
  "\ud800",
  "x".repeat(200_000),
  "0000-01-01T00:00:00Z",
  [],
  [null],
  [[]],
];

it("knows all endpoints", () => {
  expect(endpoints.length).toBeGreaterThan(40);
});

describe.each(named(endpoints))("%s", (_name, endpoint) => {
  it("keeps a safe request id and replaces any other", async () => {
    const kept = await ask(endpoint, { anonymous: true, headers: { "x-request-id": "abc-1.2:3_4" } });
    expect(kept.headers.get("x-request-id")).toBe("abc-1.2:3_4");
    for (const unsafe of process.env.TEST_SLOW ? ["ümlaut", "a b", "x".repeat(129), '"'] : ["ümlaut"]) {
      const other = await ask(endpoint, { anonymous: true, headers: { "x-request-id": unsafe } });
      expect(other.headers.get("x-request-id")).not.toBe(unsafe);
    }
  });

  it("refuses other methods before authentication and lists the allowed ones", async () => {
    const declared = endpoints.filter((each) => each.base === endpoint.base && each.path === endpoint.path);
    const get = declared.find(({ method }) => method === "GET");
    const head = get !== undefined && get.op.noHead !== true;
    const allow = [...declared.map(({ method }) => method), "OPTIONS", ...(head ? ["HEAD"] : [])]
      .sort()
      .join(", ");
    for (const method of methods.filter((each) => !declared.some((other) => other.method === each))) {
      const answer = await ask(endpoint, { method, anonymous: true });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, allow]);
      expect(answer.json).toMatchObject({ detail: "Method not allowed" });
    }
    const options = await ask(endpoint, { method: "OPTIONS", anonymous: true });
    expect([options.status, options.headers.get("allow"), options.text]).toEqual([204, allow, ""]);
    if (head) return;
    const refused = await ask(endpoint, { method: "HEAD", anonymous: true });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
  });

  it("never fails on any query", async () => {
    const names = Object.keys((endpoint.op.query as { shape?: object } | undefined)?.shape ?? { q: 1 });
    for (const name of names) {
      for (const value of odd) {
        const query = new URLSearchParams([[name, value]]);
        const answer = await ask(endpoint, {
          path: `${endpoint.base}${endpoint.path}?${query}`,
          body: "not JSON",
        });
        expect(answer.status).toBeLessThan(500);
      }
    }
  });
});

const withQuery = (name: string) =>
  endpoints.filter(({ op }) => name in ((op.query as { shape?: object } | undefined)?.shape ?? {}));
describe.each(named(withQuery("limit")))("%s", (_name, endpoint) => {
  it.each(["0", "-1", "1.5", "1e2", "abc", "", "100000"])("refuses limit=%s", async (limit) => {
    const address = `${endpoint.base}${endpoint.path}?limit=${limit}`;
    const { status, json } = await ask(endpoint, { path: address, body: bodyOf(endpoint) });
    expect([status, json.errors?.[0]?.path]).toEqual([422, "limit"]);
  });
});
describe.each(named(withQuery("skip")))("%s", (_name, endpoint) => {
  it.each(["-1", "1e2", "abc", ""])("refuses skip=%s", async (skip) => {
    const { status } = await ask(endpoint, { path: `${endpoint.base}${endpoint.path}?skip=${skip}` });
    expect(status).toBe(422);
  });

  it.each([0, 2_147_483_648, Number.MAX_SAFE_INTEGER])("skips %i entries", async (skip) => {
    const answer = await ask(endpoint, { path: `${endpoint.base}${endpoint.path}?skip=${skip}` });
    const { skip: said = skip } = answer.json as { skip?: number };
    expect([answer.status, said]).toEqual([200, skip]);
  });
});

describe.each(named(closed))("%s", (_name, endpoint) => {
  it("requires a valid key", async () => {
    const missing = await ask(endpoint, { anonymous: true, body: bodyOf(endpoint) });
    expect([missing.status, missing.json]).toMatchObject([401, { detail: "Missing X-API-Key header" }]);
    expect(missing.headers.get("www-authenticate")).toBe('ApiKey realm="api"');
    const past = { expires_at: new Date("2020-01-01") };
    for (const unknownKey of ["slc_unknown", "", "ü", await makeKey(past)]) {
      const invalid = await ask(endpoint, { anonymous: true, headers: { "x-api-key": unknownKey } });
      expect([invalid.status, invalid.json]).toMatchObject([401, { detail: "Invalid API key" }]);
      expect(invalid.headers.get("www-authenticate")).toBe('ApiKey realm="api"');
    }
    const bearer = await ask(endpoint, { anonymous: true, headers: { authorization: "Bearer slc_unknown" } });
    expect(bearer.status).toBe(401);
  });

  it("judges the key before path, query and body", async () => {
    const wrong = { anonymous: true, ids: "\0", path: malformed(endpoint) };
    for (const body of ["not JSON", "x".repeat(256 * 1024 + 1)]) {
      for (const who of [{}, { key: "slc_unknown" }])
        expect((await ask(endpoint, { ...wrong, body, ...who })).status).toBe(401);
      const allowed = await ask(endpoint, { ...wrong, body, anonymous: false });
      expect(allowed.status).not.toBe(401);
      expect(allowed.status).not.toBe(403);
    }
  });

  it("refuses changes by a session at another site's request", async () => {
    const { cookie = "" } = await session();
    const foreign = await ask(endpoint, {
      anonymous: true,
      headers: { cookie, "sec-fetch-site": "cross-site" },
      body: "not JSON",
    });
    const changes =
      endpoint.method !== "GET" || endpoint.op.changes === true || endpoint.op.auth === "inline";
    if (changes) expect([foreign.status, foreign.json.detail]).toEqual([403, "Cross-site request refused"]);
    else expect(foreign.status).not.toBe(403);
  });
});

describe.each(named(withIds))("%s", (_name, endpoint) => {
  it("answers unknown and impossible ids alike", async () => {
    for (const raw of [
      "2147483646",
      "abc",
      "0",
      "-1",
      "2147483648",
      "99999999999",
      "1.5",
      "1e3",
      " 1",
      "0x1",
      "١",
    ]) {
      const answer = await ask(endpoint, { ids: raw, body: bodyOf(endpoint) });
      expect([raw, answer.status, answer.json.detail]).toEqual([raw, 404, unknown(endpoint, raw)]);
    }
  });
});

describe.each(named(withBody))("%s", (_name, endpoint) => {
  it("refuses a body that is not JSON, of a wrong shape or too large", async () => {
    for (const body of [
      "{",
      "nonsense",
      "{'a': 1}",
      "\ufeff{",
      ...(endpoint.op.bodyOptional ? [] : ["", " "]),
    ]) {
      const answer = await ask(endpoint, { body });
      expect([body, answer.status, answer.json]).toMatchObject([body, 400, { detail: "Invalid JSON body" }]);
    }
    for (const body of [
      "[]",
      "17",
      '"text"',
      "null",
      "true",
      `[${"[".repeat(50_000)}${"]".repeat(50_000)}]`,
    ]) {
      const answer = await ask(endpoint, { body });
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 422]);
      expect(answer.text).not.toMatch(/Invalid|Too (small|big)|expected|received/);
      expect(answer.json.detail).toMatch(/^Validation error: ./);
      expect(answer.json.errors?.length).toBeGreaterThan(0);
    }
    const large = await ask(endpoint, { body: JSON.stringify({ filler: "x".repeat(256 * 1024) }) });
    expect([large.status, large.json]).toMatchObject([
      413,
      { detail: "Request body is larger than 256 KiB" },
    ]);
  });

  it("never fails on any field value", async () => {
    const schema = endpoint.op.body as { shape?: object; options?: { shape?: object }[] } | undefined;
    const shape = schema?.shape ?? schema?.options?.[0]?.shape ?? {};
    for (const name of Object.keys(shape)) {
      for (const value of [null, 1e308, "\0", {}, deep, ...(process.env.TEST_SLOW ? moreValues : [])]) {
        const body = { ...(bodyOf(endpoint) as object), [name]: value };
        const text =
          value === deep
            ? JSON.stringify({ ...body, [name]: "DEEP" }).replace(
                '"DEEP"',
                "[".repeat(20_000) + "]".repeat(20_000),
              )
            : JSON.stringify(body);
        const answer = await ask(endpoint, { ids: "2147483646", body: text });
        expect(answer.status).toBeLessThan(500);
      }
    }
    for (const body of process.env.TEST_SLOW ? withNul(bodyOf(endpoint)) : [])
      expect((await ask(endpoint, { ids: "2147483646", body })).status, JSON.stringify(body)).toBeLessThan(
        500,
      );
  });
});

describe.each(named(endpoints.filter(({ method, op }) => method === "GET" && !op.noHead)))(
  "HEAD for %s",
  (_name, endpoint) => {
    it("HEAD answers like GET without a body", async () => {
      const [get, head] = [await ask(endpoint), await ask(endpoint, { method: "HEAD" })];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    });
  },
);
