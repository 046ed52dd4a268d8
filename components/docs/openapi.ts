/* The parts of OpenAPI 3.1 that the reference shows. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: boolean | Schema;
  example?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;

export interface Response {
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface OpenApi {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, { description?: string }>;
  };
}

export interface Endpoint {
  method: string;
  path: string;
  /** "/api/v1", or "" for the probes at the root. */
  base: string;
  operation: Operation;
}

export function endpointsOf(document: OpenApi, tag?: string): Endpoint[] {
  const api = document.servers[0]?.url ?? "";
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers")
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        base: item.servers === undefined ? api : "",
        operation: operation as Operation,
      }))
      .filter(({ operation }) => tag === undefined || operation.tags.includes(tag)),
  );
}

/** "Your actions" → "your-actions". */
export const slugOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Directly or through others, sorted. */
export function schemasIn(value: unknown, { components: { schemas } }: OpenApi): string[] {
  const found = new Set<string>();
  const visit = (part: unknown) => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, each] of Object.entries(part)) {
      if (key === "$ref" && typeof each === "string" && each.startsWith("#/components/schemas/")) {
        const name = nameOf(each);
        if (found.has(name)) continue;
        found.add(name);
        visit(schemas[name]);
      } else if (!key.startsWith("example")) visit(each);
    }
  };
  visit(value);
  return [...found].sort();
}

const examplesByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-05-04T12:00:00.000Z",
  date: "2026-05-04",
  uuid: "0b0e6a3e-6f1c-4a53-9a53-4a2a4bfb3f0c",
  email: "alice@example.org",
  uri: "https://example.org/",
};

export function exampleOf(schema: Schema, document: OpenApi, within: readonly string[] = []): unknown {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const target = document.components.schemas[name];
    // Ends recursive schemas.
    if (target === undefined || within.includes(name)) return null;
    return exampleOf(target, document, [...within, name]);
  }
  const own = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (own !== undefined) return own;
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {}, document, within);
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [
          key,
          exampleOf(each, document, within),
        ]),
      );
    case "array": {
      const item = exampleOf(schema.items ?? {}, document, within);
      return item === null ? [] : [item];
    }
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 0, Math.min(1, schema.maximum ?? 1));
    case "boolean":
      return false;
    case "string":
      return examplesByFormat[schema.format ?? ""] ?? "text";
    default:
      return null;
  }
}

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export function bodyExample({ operation }: Endpoint, document: OpenApi): unknown {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema === undefined ? undefined : exampleOf(schema, document);
}

/** Null when only signed-in members may call it. */
export function curlOf(endpoint: Endpoint, document: OpenApi): string | null {
  const { method, path, base, operation } = endpoint;
  if (operation.security.length > 0 && !operation.security.some((each) => "ApiKey" in each)) return null;
  const values = new Map(operation.parameters?.map((each) => [each.name, exampleOf(each.schema, document)]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const required = (operation.parameters ?? []).filter((each) => each.in === "query" && each.required);
  const query = new URLSearchParams(
    required.map((each) => [each.name, String(values.get(each.name))]),
  ).toString();
  const body = bodyExample(endpoint, document);
  const parts = [
    `curl -X ${method} "${base === "" ? "${API%/api/v1}" : "$API"}${filled}${query === "" ? "" : `?${query}`}"`,
    ...(operation.security.length > 0 ? ['-H "X-API-Key: $KEY"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(" \\\n  ");
}
