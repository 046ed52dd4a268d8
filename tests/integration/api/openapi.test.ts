import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { GET } from "#app/api/v1/openapi.json/route.ts";
import { ApiError, errorCodes, statusOf } from "#lib/base/errors.ts";
import { registeredPaths } from "#lib/base/http/operation.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { type Asked, askEndpoint, bodyOf, type Endpoint, endpoints, queryNames } from "./endpoints.ts";

/*
 * The contract of HTTP: the OpenAPI document, and a walk over every operation. The routes themselves compare each answer of
 * any test with its declaration (tests/setup/verify-answer.ts).
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = Record<string, Json>;
interface Answer {
  headers?: Record<string, { schema?: Schema }>;
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}
interface Document {
  openapi: string;
  servers: object[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> };
}

let document: Document;
let operations: { name: string; route: string; op: Operation }[] = [];
let key = "";

beforeAll(async () => {
  document = (await call<Document>(GET, { path: "/api/v1/openapi.json" })).json;
  operations = Object.entries(document.paths).flatMap(([route, item]) =>
    Object.entries(item)
      .filter(([name]) => ["get", "post", "put", "patch", "delete"].includes(name))
      .map(([method, op]) => ({ name: `${method.toUpperCase()} ${route}`, route, op })),
  );
  // The first key has the id 1, and calls with that id revoke it.
  await makeKey();
  key = await makeKey();
});

function* walk(value: Json, at = "#"): Generator<[string, Schema]> {
  if (Array.isArray(value)) for (const [i, each] of value.entries()) yield* walk(each, `${at}/${i}`);
  else if (typeof value === "object" && value !== null) {
    yield [at, value];
    for (const [name, each] of Object.entries(value)) yield* walk(each, `${at}/${name}`);
  }
}
const everywhere = () => [...walk(document as unknown as Json)].filter(([at]) => !at.includes("/example"));

function find(name: string): Operation {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} is not in the document`);
  return found.op;
}

describe("the OpenAPI document", () => {
  it("has every route file, under the path of its folder", () => {
    const root = path.resolve("app/api/v1");
    const source = readFileSync(path.join(root, "all-routes.ts"), "utf8");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => path.basename(file) === "route.ts" && !file.startsWith("[[...path]]"))
      .map((file) => file.split(path.sep).join("/"));
    const missing = files.filter((file) => !source.includes(`import "./${file}";`));
    expect(missing, "lines missing in app/api/v1/all-routes.ts").toEqual(["openapi.json/route.ts"]);
    const folders = files.map((file) => `/${path.posix.dirname(file).replace(/\[(\w+)\]/g, "{$1}")}`);
    const paths = registeredPaths().filter(({ base }) => base === "/api/v1");
    expect(paths.map((each) => each.path).sort()).toEqual(folders.sort());
  });

  it("is version 3.1 below /api/v1, with a key in X-API-Key", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: "/api/v1", description: "This installation" }]);
    const schemes = document.components.securitySchemes;
    expect(schemes.ApiKey).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
    for (const { name, op } of operations)
      for (const each of op.security.flatMap((one) => Object.keys(one)))
        expect(schemes, name).toHaveProperty(each);
    expect(find("GET /curated/next").security[0]).toEqual({ ApiKey: [] });
    expect(find("GET /health").security).toEqual([]);
  });

  it("has unique operation ids, a summary and a described tag for each operation", () => {
    const ids = operations.map(({ op }) => op.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(find("POST /curated/{post_id}/ack").operationId).toBe("ackPost");
    const tags = new Map(document.tags.map((tag) => [tag.name, tag.description]));
    for (const { name, route, op } of operations) {
      expect(op.operationId, name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
      expect(op.summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(op.tags, name).toHaveLength(1);
      expect(tags.get(op.tags[0] ?? ""), `${name}: describe its tag`).toBeTypeOf("string");
      if (op.tags.includes("Aliases") !== route.startsWith("/hashtags")) throw new Error(name);
      if (!route.startsWith("/hashtags")) continue;
      const original = find(name.replace("/hashtags", "/streams"));
      expect(op.description, name).toContain(`Alias of \`${original.operationId}\``);
    }
  });

  it("declares the parameters of each path", () => {
    for (const { name, route, op } of operations) {
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (op.parameters ?? []).filter((each) => each.in === "path" && each.required);
      expect(
        declared.map((each) => each.name),
        name,
      ).toEqual(inPath);
      const all = (op.parameters ?? []).map((each) => `${each.in} ${each.name}`);
      expect(new Set(all).size, name).toBe(all.length);
    }
    const ack = find("POST /curated/{post_id}/ack").parameters?.map((each) => each.name);
    expect(ack).toEqual(["post_id", "If-Match"]);
  });

  it("lists every status an operation can give, each with a JSON body of one form", () => {
    for (const { name, op } of operations) {
      const statuses = Object.keys(op.responses);
      expect(statuses, name).toContain("500");
      if (op.security.length > 0)
        expect(statuses, name).toEqual(expect.arrayContaining(["401", "403", "503"]));
      if (op.requestBody) expect(statuses, name).toEqual(expect.arrayContaining(["400", "413", "422"]));
      if (name.includes("{")) expect(statuses, name).toContain("404");
      for (const [status, answer] of Object.entries(op.responses)) {
        expect(answer.headers, name).toHaveProperty("X-Request-Id");
        const failure = status === "422" ? "ValidationError" : "Error";
        if (status >= "400")
          expect(answer.content?.["application/json"]?.schema, name).toEqual({
            $ref: `#/components/schemas/${failure}`,
          });
        else if (status === "204") expect(answer.content, name).toBeUndefined();
      }
    }
    const of = (name: string) => Object.keys(find(name).responses).map(Number);
    expect(of("POST /curated/{post_id}/error")).toEqual([
      ...[204, 400, 401, 403, 404, 409, 412, 413, 422, 500, 503],
    ]);
    expect(of("POST /curated/{post_id}/ack")).toEqual([204, 401, 403, 404, 409, 412, 500, 503]);
    expect(of("GET /curated/next")).toEqual([200, 204, 401, 403, 404, 422, 500, 503]);
    expect(of("GET /health")).toEqual([200, 500]);
  });

  it("documents the headers of a reservation", () => {
    const { responses } = find("GET /curated/next");
    expect(responses["200"]?.headers).toMatchObject({
      ETag: {},
      "X-Reservation-Id": {},
      "X-Reservation-Expires-At": {},
      "X-Delivery-Count": { schema: { type: "integer", minimum: 0 } },
    });
    expect(responses["204"]?.headers).toHaveProperty("Retry-After");
    expect(responses["401"]?.headers).toHaveProperty("WWW-Authenticate");
  });

  it("allows further fields and later codes of errors, and resolves its references", () => {
    const { schemas } = document.components;
    expect(schemas.ErrorCode?.enum).toEqual(errorCodes);
    expect(schemas.Error?.properties).toMatchObject({
      code: { anyOf: [{ $ref: "#/components/schemas/ErrorCode" }, { type: "string" }] },
    });
    for (const [at, object] of everywhere()) {
      expect(object.additionalProperties, at).not.toBe(false);
      if (typeof object.$ref !== "string") continue;
      const names = object.$ref.slice(2).split("/");
      const target = names.reduce<unknown>((value, name) => (value as Schema | undefined)?.[name], document);
      expect(target, `${at} → ${object.$ref}`).toBeTypeOf("object");
    }
  });

  it("describes every field and parameter, and gives texts and ids an example", () => {
    const missing: string[] = [];
    for (const [at, object] of everywhere()) {
      const schema = object.schema as Schema | undefined;
      if (["query", "path", "header"].includes(object.in as string))
        if ((object.description ?? schema?.description) === undefined) missing.push(at);
      if (object.type !== "object") continue;
      for (const [name, field] of Object.entries((object.properties ?? {}) as Record<string, Schema>)) {
        const types = [field.type].flat();
        const isFree = field.enum === undefined && field.const === undefined;
        const isId = types.includes("integer") && /(^|_)id$/.test(name);
        if (!/^\S.*[.…]$|`$/.test((field.description ?? "") as string))
          missing.push(`${at}/${name}: description`);
        if (isFree && (isId || types.includes("string")) && (field.example ?? field.examples) === undefined)
          missing.push(`${at}/${name}: example`);
      }
    }
    expect(missing, "add them to the zod field with .describe() or .meta()").toEqual([]);
  });

  it("names every body, and gives it an example that fits its schema", () => {
    const { schemas } = document.components;
    for (const { name, op } of operations) {
      for (const each of [op.requestBody, ...Object.values(op.responses)])
        expect(
          each?.content?.["application/json"]?.schema ?? {},
          `${name}: its body has no id`,
        ).not.toHaveProperty("properties");
      const body = op.requestBody?.content["application/json"]?.schema.$ref as string | undefined;
      if (body !== undefined) expect(schemas[body.split("/").pop() ?? ""], name).toHaveProperty("example");
    }
    for (const [name, { example, ...schema }] of Object.entries(schemas)) {
      if (example === undefined) continue;
      const standalone = JSON.stringify({ ...schema, $defs: schemas });
      const inner = JSON.parse(standalone.replaceAll("#/components/schemas/", "#/$defs/")) as Schema;
      const result = z.fromJSONSchema(inner).safeParse(example);
      expect(result.error?.issues ?? [], `example of ${name}`).toEqual([]);
    }
  });
});

type Failure = { detail: string; errors?: { path: string; message: string }[] };

/** Calls an operation with permission. Any answer passes that is no failure of the service. */
async function ask(endpoint: Endpoint, asked: Asked = {}, isAllowed = true) {
  const session = async () => ({ headers: await sessionHeaders(await makeMember("admin")) });
  const who: Asked = !isAllowed ? {} : endpoint.op.sessionOnly ? await session() : { key };
  const headers = { ...who.headers, ...asked.headers };
  const answer = await askEndpoint<Failure>(endpoint, { ...who, ...asked, headers });
  expect(answer.status, `${JSON.stringify(asked).slice(0, 300)} ${answer.text}`).toBeLessThan(500);
  expect(answer.headers.get("x-request-id")).toMatch(/^[\w.:-]{1,128}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  if (answer.status >= 400 && asked.method !== "HEAD") expect(answer.json.detail).toBeTypeOf("string");
  return answer;
}
const stranger = (endpoint: Endpoint, asked: Asked) => ask(endpoint, asked, false);
const named = (list: Endpoint[]) => list.map((each) => [each.name, each] as const);
// An alias has the operation of its original.
const originals = endpoints.filter(({ route }) => !route.startsWith("/hashtags"));

describe.each(named(endpoints))("%s", (_name, endpoint) => {
  const { op, base, route, method } = endpoint;

  it("keeps a safe request id, and refuses other methods before authentication", async () => {
    const kept = await stranger(endpoint, { headers: { "x-request-id": "abc-1.2:3_4" } });
    expect(kept.headers.get("x-request-id")).toBe("abc-1.2:3_4");
    const declared = endpoints.filter((each) => each.base === base && each.route === route);
    const get = declared.find((each) => each.method === "GET");
    const head = get !== undefined && get.op.noHead !== true ? ["HEAD"] : [];
    const allowed: string[] = [...declared.map((each) => each.method), "OPTIONS", ...head].sort();
    const allow = allowed.join(", ");
    for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]) {
      if (allowed.includes(other)) continue;
      const answer = await stranger(endpoint, { method: other });
      expect([other, answer.status, answer.headers.get("allow")]).toEqual([other, 405, allow]);
    }
    const options = await stranger(endpoint, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow"), options.text]).toEqual([204, allow, ""]);
    if (method !== "GET" || op.noHead === true) return;
    const [body, none] = [await ask(endpoint), await ask(endpoint, { method: "HEAD" })];
    expect([none.status, none.text, none.headers.get("content-type")]).toEqual([
      ...[body.status, "", body.headers.get("content-type")],
    ]);
  });
});

describe.each(named(originals.filter((each) => queryNames(each).length > 0)))("%s", (_name, endpoint) => {
  it("never fails on any value of its query", async () => {
    const refused: Record<string, string[]> = {
      limit: ["0", "-1", "1.5", "1e2", "abc", "", "100000"],
      skip: ["-1", "1e2", "abc", ""],
    };
    const odd = ["\0", "\ud800", "a\0", "", "abc", "-1", "1e2", "%", "0000-01-01", "99999999999999999999"];
    for (const name of queryNames(endpoint)) {
      for (const value of refused[name] ?? odd) {
        const query = `?${new URLSearchParams([[name, value]])}`;
        const { status, json } = await ask(endpoint, { query, body: bodyOf(endpoint) });
        if (name in refused) expect([query, status, json.errors?.[0]?.path]).toEqual([query, 422, name]);
      }
    }
    if (queryNames(endpoint).includes("skip"))
      expect((await ask(endpoint, { query: `?skip=${Number.MAX_SAFE_INTEGER}` })).status).toBe(200);
  });
});

describe.each(named(endpoints.filter(({ op }) => op.auth !== "none")))("%s", (_name, endpoint) => {
  const { op, method } = endpoint;

  it("judges the key before path, query and body", async () => {
    const wrong = new URLSearchParams([...queryNames(endpoint), "dry_run"].map((each) => [each, "\0"]));
    for (const body of ["not JSON", "x".repeat(256 * 1024 + 1)]) {
      const malformed = { id: "\0", query: `?${wrong}`, body };
      const missing = await stranger(endpoint, malformed);
      expect([missing.status, missing.json.detail]).toEqual([401, "Missing X-API-Key header"]);
      expect(missing.headers.get("www-authenticate")).toBe('ApiKey realm="api"');
      expect([401, 403]).not.toContain((await ask(endpoint, malformed)).status);
      const expired = await makeKey({ expires_at: new Date("2020-01-01") });
      for (const name of ["slc_unknown", "", "ü", expired]) {
        const invalid = await stranger(endpoint, { ...malformed, headers: { "x-api-key": name } });
        expect([invalid.status, invalid.json.detail]).toEqual([401, "Invalid API key"]);
        expect(invalid.headers.get("www-authenticate")).toBe('ApiKey realm="api"');
      }
    }
    const bearer = await stranger(endpoint, { headers: { authorization: "Bearer slc_unknown" } });
    expect(bearer.status).toBe(401);
  });

  it("refuses a change that another site sends with a session", async () => {
    const { cookie = "" } = await sessionHeaders(await makeMember("admin"));
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    const foreign = await stranger(endpoint, { headers, body: "not JSON" });
    const changes = method !== "GET" || op.changes === true || op.auth === "inline";
    if (changes) expect([foreign.status, foreign.json.detail]).toEqual([403, "Cross-site request refused"]);
    else expect(foreign.status).not.toBe(403);
  });
});

describe.each(named(endpoints.filter(({ op }) => (op.ids?.length ?? 0) > 0)))("%s", (_name, endpoint) => {
  it("answers unknown and impossible ids alike", async () => {
    const code = endpoint.op.errors?.find((each) => statusOf(each) === 404) ?? "not_found";
    const impossible = ["abc", "0", "-1", "2147483648", "99999999999", "1.5", "1e3", " 1", "0x1", "١"];
    for (const id of ["2147483646", ...impossible]) {
      const answer = await ask(endpoint, { id, body: bodyOf(endpoint) });
      const { message } = new ApiError(code, { id });
      expect([id, answer.status, answer.json.detail]).toEqual([id, 404, message]);
    }
  });
});

describe.each(named(originals.filter(({ op }) => op.body !== undefined)))("%s", (_name, endpoint) => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it("refuses a body that is not JSON, of a wrong shape or too large", async () => {
    const empty = endpoint.op.bodyOptional ? [] : ["", " "];
    for (const body of ["{", "nonsense", "{'a': 1}", "\ufeff{", ...empty]) {
      const answer = await ask(endpoint, { body });
      expect([body, answer.status, answer.json.detail]).toEqual([body, 400, "Invalid JSON body"]);
    }
    for (const body of ["[]", "17", '"text"', "null", "true", nested(50_000)]) {
      const answer = await ask(endpoint, { body });
      expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 422]);
      expect(answer.json.detail).toMatch(
        /^Validation error: (?!.*(Invalid|Too (small|big)|expected|received))/,
      );
    }
    const large = await ask(endpoint, { body: JSON.stringify({ filler: "x".repeat(256 * 1024) }) });
    expect([large.status, large.json.detail]).toEqual([413, "Request body is larger than 256 KiB"]);
  });

  it("never fails on any value of a field", async () => {
    const schema = endpoint.op.body as { shape?: object; options?: { shape?: object }[] } | undefined;
    const odd = ["null", "1e308", "true", "-1", "2147483648", '"\\u0000"', '"a\\u0000"', '"\\ud800"', '""'];
    const large = [nested(20_000), JSON.stringify("x".repeat(200_000)), "[null]", "[[]]", "{}"];
    for (const name of Object.keys(schema?.shape ?? schema?.options?.[0]?.shape ?? {})) {
      const body = JSON.stringify({ ...(bodyOf(endpoint) as object), [name]: "HERE" });
      for (const value of [...odd, ...large])
        await ask(endpoint, { id: "2147483646", body: body.replace('"HERE"', () => value) });
    }
  });
});
