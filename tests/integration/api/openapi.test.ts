import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { GET } from "#app/api/v1/openapi.json/route.ts";
import { errorCodes } from "#lib/errors.ts";
import { registeredPaths } from "#lib/http/operation.ts";
import { call } from "#tests/setup/request.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Answer = {
  description: string;
  headers?: Record<string, Json>;
  content?: Record<string, { schema: Json; examples?: Json }>;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Record<string, Json> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Answer>;
};
type Document = {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Record<string, Json>>>;
};

const methods = ["get", "post", "put", "patch", "delete"];
let document: Document;
let operations: { name: string; path: string; op: Operation }[] = [];

beforeAll(async () => {
  const answer = await call<Document>(GET, { path: "/api/v1/openapi.json" });
  expect(answer.status).toBe(200);
  document = answer.json;
  operations = Object.entries(document.paths).flatMap(([route, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, op]) => ({ name: `${method.toUpperCase()} ${route}`, path: route, op })),
  );
});

/** Empty for anything else than a text. */
function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function* walk(value: Json, at = "#"): Generator<[string, Record<string, Json>]> {
  if (Array.isArray(value)) for (const [i, each] of value.entries()) yield* walk(each, `${at}/${i}`);
  else if (typeof value === "object" && value !== null) {
    yield [at, value];
    for (const [key, each] of Object.entries(value)) yield* walk(each, `${at}/${key}`);
  }
}

const find = (name: string) => {
  const found = operations.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} is not in the document`);
  return found.op;
};

describe("the list of all routes", () => {
  it("imports every route file of the API", () => {
    const root = path.resolve("app/api/v1");
    const source = readFileSync(path.join(root, "all-routes.ts"), "utf8");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => path.basename(file) === "route.ts")
      .filter((file) => !file.startsWith("[[...path]]") && !file.startsWith("openapi.json"));
    const missing = files.map((file) => `import "./${file}";`).filter((line) => !source.includes(line));
    expect(missing, "lines missing in app/api/v1/all-routes.ts").toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });

  it("declares the path of each file's folder", () => {
    const wrong = registeredPaths()
      .filter(({ base }) => base === "/api/v1")
      .map(({ path: route }) => route)
      .filter((route) => {
        const folder = path.resolve("app/api/v1", `.${route.replace(/\{(\w+)\}/g, "[$1]")}`);
        return !readdirSync(path.dirname(folder)).includes(path.basename(folder));
      });
    expect(wrong).toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  it("is version 3.1 below /api/v1 and needs no key", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: "/api/v1", description: "This installation" }]);
    expect(find("GET /openapi.json").security).toEqual([]);
    expect(find("GET /health").security).toEqual([]);
  });

  it("names the key as an apiKey scheme, and uses only schemes it declares", () => {
    const schemes = document.components.securitySchemes ?? {};
    expect(schemes.ApiKey).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" });
    for (const { name, op } of operations) {
      for (const each of op.security.flatMap((one) => Object.keys(one)))
        expect(schemes, name).toHaveProperty(each);
    }
    expect(find("GET /curated/next").security[0]).toEqual({ ApiKey: [] });
  });

  it("has unique operation ids, a summary and a described tag for each operation", () => {
    const ids = operations.map(({ op }) => op.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, op } of operations)
      expect(op.operationId, `${name}: give the operation an id`).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(find("GET /curated/next").operationId).toBe("reserveNext");
    expect(find("POST /curated/{post_id}/ack").operationId).toBe("ackPost");
    const tags = new Map(document.tags.map((tag) => [tag.name, tag.description]));
    for (const { name, op } of operations) {
      expect(op.summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(op.tags, name).toHaveLength(1);
      expect(tags.get(op.tags[0] ?? ""), `${name}: describe its tag in lib/http/openapi-words.ts`).toBeTypeOf(
        "string",
      );
    }
  });

  it("declares exactly the parameters of each path", () => {
    for (const { name, path: route, op } of operations) {
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (op.parameters ?? []).filter((each) => each.in === "path");
      expect(
        declared.map((each) => each.name),
        name,
      ).toEqual(inPath);
      for (const each of declared)
        expect([each.required, each.schema.type], name).toEqual([
          true,
          each.name.endsWith("id") ? expect.stringMatching(/integer|string/) : "string",
        ]);
      const all = (op.parameters ?? []).map((each) => `${each.in} ${each.name}`);
      expect(new Set(all).size, name).toBe(all.length);
    }
    expect(find("POST /curated/{post_id}/ack").parameters?.map((each) => each.name)).toEqual([
      "post_id",
      "If-Match",
    ]);
  });

  it("lists every status an operation can give, each with a JSON body of one form", () => {
    for (const { name, op } of operations) {
      const statuses = Object.keys(op.responses);
      expect(
        statuses.some((status) => status.startsWith("2")),
        name,
      ).toBe(true);
      expect(statuses, name).toContain("500");
      if (op.security.length > 0) expect(statuses, name).toEqual(expect.arrayContaining(["401", "503"]));
      if (op.security.length > 0) expect(statuses, name).toContain("403");
      if (op.requestBody) expect(statuses, name).toEqual(expect.arrayContaining(["400", "413", "422"]));
      if (name.includes("{")) expect(statuses, name).toContain("404");
      for (const [status, answer] of Object.entries(op.responses)) {
        expect(answer.description, name).not.toMatch(/^Status/);
        expect(answer.headers, name).toHaveProperty("X-Request-Id");
        if (status === "204") expect(answer.content, name).toBeUndefined();
        if (status >= "400") {
          const schema = status === "422" ? "ValidationError" : "Error";
          expect(answer.content?.["application/json"]?.schema, name).toEqual({
            $ref: `#/components/schemas/${schema}`,
          });
        }
      }
    }
    const of = (name: string) => Object.keys(find(name).responses).map(Number);
    expect(of("POST /curated/{post_id}/error")).toEqual([
      204, 400, 401, 403, 404, 409, 412, 413, 422, 500, 503,
    ]);
    expect(of("POST /curated/{post_id}/ack")).toEqual([204, 401, 403, 404, 409, 412, 500, 503]);
    expect(of("GET /curated/next")).toEqual([200, 204, 401, 403, 404, 422, 500, 503]);
    expect(of("POST /curated/cleanup")).toEqual([200, 400, 401, 403, 413, 422, 500, 503]);
    expect(of("GET /posts")).toEqual([200, 401, 403, 422, 500, 503]);
    expect(of("GET /health")).toEqual([200, 500]);
  });

  it("documents the reservation headers", () => {
    const { responses } = find("GET /curated/next");
    expect(Object.keys(responses["200"]?.headers ?? {})).toEqual(
      expect.arrayContaining(["ETag", "X-Reservation-Id", "X-Reservation-Expires-At", "X-Delivery-Count"]),
    );
    expect(responses["204"]?.headers).toHaveProperty("Retry-After");
    expect(responses["401"]?.headers).toHaveProperty("WWW-Authenticate");
  });

  it("gives counts and seconds in headers the type integer", () => {
    const typeOf = (name: string, status: string, header: string) =>
      (find(name).responses[status]?.headers?.[header] as { schema: Json } | undefined)?.schema;
    const integer = { type: "integer", minimum: 0 };
    expect(typeOf("GET /curated/next", "200", "X-Delivery-Count")).toEqual(integer);
    expect(typeOf("GET /curated/next", "204", "Retry-After")).toEqual(integer);
    expect(typeOf("GET /reblog-controls/blocked-users", "200", "X-Total-Count")).toEqual(integer);
  });

  it("closes no schema, so that an answer may get further fields", () => {
    const closed = [...walk(document)].filter(([, object]) => object.additionalProperties === false);
    expect(closed.map(([at]) => at)).toEqual([]);
  });

  it("lists all codes of errors, and allows later ones", () => {
    const { Error: failure, ErrorCode: codes } = document.components.schemas ?? {};
    expect(codes?.enum).toEqual(errorCodes);
    expect(failure?.properties).toMatchObject({
      code: { anyOf: [{ $ref: "#/components/schemas/ErrorCode" }, { type: "string" }] },
    });
  });

  it("names every body, for generated clients", () => {
    const unnamed = operations.flatMap(({ name, op }) =>
      [op.requestBody, ...Object.values(op.responses)].flatMap((each) => {
        const schema = each?.content?.["application/json"]?.schema as Record<string, Json> | undefined;
        return schema?.properties === undefined ? [] : [name];
      }),
    );
    expect(unnamed, "bodies without an id in their .meta()").toEqual([]);
  });

  it("marks every path of /hashtags as an alias, and no other", () => {
    for (const { name, path: route, op } of operations) {
      const isAlias = route.startsWith("/hashtags");
      expect(op.tags.includes("Aliases"), name).toBe(isAlias);
      if (!isAlias) continue;
      const original = find(name.replace("/hashtags", "/streams"));
      expect(op.description, name).toContain(`Alias of \`${original.operationId}\``);
    }
  });

  it("describes every field and every parameter, and gives texts and ids an example", () => {
    const missing: string[] = [];
    for (const [at, object] of walk(document)) {
      if (/\/examples?(\/|$)/.test(at)) continue;
      if (object.type === "object" && typeof object.properties === "object" && object.properties !== null) {
        for (const [name, field] of Object.entries(
          object.properties as Record<string, Record<string, Json>>,
        )) {
          const types = [field.type].flat();
          const needsExample =
            field.enum === undefined &&
            field.const === undefined &&
            (types.includes("string") || (types.includes("integer") && /(^|_)id$/.test(name)));
          if (!/^\S.*[.…]$|`$/.test(text(field.description))) missing.push(`${at}/${name}: description`);
          if (needsExample && field.example === undefined && field.examples === undefined)
            missing.push(`${at}/${name}: example`);
        }
      }
      if (object.in === "query" || object.in === "path" || object.in === "header") {
        const schema = object.schema as Record<string, Json>;
        if (object.description === undefined && schema.description === undefined)
          missing.push(`${at}: ${text(object.name)}`);
      }
    }
    expect(missing, "add them to the zod field with .describe() or .meta()").toEqual([]);
  });

  it("explains the id of a post wherever it stands", () => {
    const fields = [...walk(document as unknown as Json)].flatMap(([, object]) => {
      const { properties } = object as { properties?: Record<string, Record<string, Json>> };
      return Object.entries(properties ?? {}).filter(([name]) => /^(fenliu_)?post_id$/.test(name));
    });
    expect(fields.length).toBeGreaterThan(15);
    for (const [, field] of fields) expect(text(field.description)).toMatch(/post|URI/i);
    const item = document.components.schemas?.QueueItem as {
      properties: Record<string, { description: string }>;
    };
    expect(item.properties.fenliu_post_id?.description).toMatch(/ack, nack, error and extend/);
    for (const verb of ["ack", "nack", "error", "extend"]) {
      const [parameter] = find(`POST /curated/{post_id}/${verb}`).parameters ?? [];
      expect(parameter).toMatchObject({ description: expect.stringContaining("fenliu_post_id") as string });
    }
  });

  it("resolves all references and has 3.1 schemas", () => {
    const types = ["object", "array", "string", "integer", "number", "boolean", "null"];
    for (const [at, object] of walk(document)) {
      if (at.includes("/example")) continue;
      if (typeof object.$ref === "string") {
        const target = object.$ref
          .slice(2)
          .split("/")
          .reduce<Json | undefined>(
            (value, key) => (value as Record<string, Json> | undefined)?.[key],
            document as unknown as Json,
          );
        expect(target, `${at} → ${object.$ref}`).toBeTypeOf("object");
      }
      if (!/\/(schema|schemas\/\w+|properties\/\w+|items)$/.test(at)) continue;
      expect(object, at).not.toHaveProperty("nullable");
      const { type } = object;
      if (type !== undefined) for (const each of [type].flat()) expect(types, at).toContain(each);
    }
  });

  it("gives every body, and every answer that is an object, an example that fits its schema", () => {
    const definitions = document.components.schemas ?? {};
    const missing: string[] = [];
    for (const { name, op } of operations) {
      const bodies = [op.requestBody?.content["application/json"]?.schema];
      for (const schema of bodies) {
        if (schema === undefined) continue;
        const reference = (schema as { $ref?: string }).$ref?.split("/").pop() ?? "";
        if (definitions[reference]?.example === undefined) missing.push(name);
      }
    }
    expect(missing, "bodies without an id and an example in their .meta()").toEqual([]);
    for (const [name, { example, ...schema }] of Object.entries(definitions)) {
      if (example === undefined) continue;
      const checked = z.fromJSONSchema(standalone(schema, definitions));
      const result = checked.safeParse(example);
      expect(result.error?.issues ?? [], `example of ${name}`).toEqual([]);
    }
  });
});

function standalone(schema: Record<string, Json>, definitions: Record<string, Record<string, Json>>) {
  const text = JSON.stringify({ ...schema, $defs: definitions });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Parameters<
    typeof z.fromJSONSchema
  >[0];
}
