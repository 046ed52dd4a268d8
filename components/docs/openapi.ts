import type { oas31 } from "zod-openapi";

/* The parts of OpenAPI 3.1 that the reference uses. */

export type Schema = oas31.SchemaObject | oas31.ReferenceObject;

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
  parameters?: {
    name: string;
    in: "path" | "query" | "header";
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface OpenApi {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: {
    schemas: Record<string, oas31.SchemaObject>;
    securitySchemes: Record<string, { description?: string }>;
  };
}

export interface Endpoint {
  method: string;
  /** Starts with `/api/v1`, except for the probes at the root. */
  path: string;
  operation: Operation;
}

export function endpointsOf(document: OpenApi, tag?: string): Endpoint[] {
  const api = document.servers[0]?.url ?? "";
  return Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods as Record<string, Operation>)
      .filter(([, operation]) => tag === undefined || operation.tags.includes(tag))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: (servers === undefined ? api : "") + path,
        operation,
      })),
  );
}

/** "Your actions" → "your-actions". */
export const slugOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Resolves a `$ref`. */
export function targetOf(schema: Schema, { components: { schemas } }: OpenApi): oas31.SchemaObject {
  const { $ref } = schema;
  return $ref === undefined ? (schema as oas31.SchemaObject) : (schemas[$ref.replace(/^.*\//, "")] ?? {});
}

export interface FieldRow {
  /** Nested fields: `outer.inner`, `outer[].inner`. */
  name: string;
  isRequired: boolean;
  description?: string | undefined;
  schema: Schema;
}

/** @param within enclosing schemas, at which recursion stops */
export function fieldsOf(
  given: Schema,
  document: OpenApi,
  prefix = "",
  within: readonly Schema[] = [],
): FieldRow[] {
  const schema = targetOf(given, document);
  if (within.includes(schema)) return [];
  const inner = (each: Schema, name: string) => fieldsOf(each, document, name, [...within, schema]);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, each]) => [
      {
        name: prefix + key,
        isRequired: schema.required?.includes(key) ?? false,
        description: each.description ?? targetOf(each, document).description,
        schema: each,
      },
      ...inner(each, `${prefix}${key}.`),
    ]),
    ...(schema.anyOf ?? []).flatMap((each) => inner(each, prefix)),
    ...(schema.items === undefined ? [] : inner(schema.items, `${prefix.replace(/\.$/, "")}[].`)),
  ];
}

const examplesByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-05-04T12:00:00.000Z",
  date: "2026-05-04",
  uuid: "0b0e6a3e-6f1c-4a53-9a53-4a2a4bfb3f0c",
  email: "alice@example.org",
  uri: "https://example.org/",
};

export function exampleOf(given: Schema, document: OpenApi, within: readonly Schema[] = []): unknown {
  const schema = targetOf(given, document);
  if (within.includes(schema)) return null;
  const inner = (each: Schema = {}) => exampleOf(each, document, [...within, schema]);
  const own: unknown =
    schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (own !== undefined) return own;
  if (schema.anyOf !== undefined) return inner(schema.anyOf[0]);
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, inner(each)]),
      );
    case "array":
      return [inner(schema.items)].filter((item) => item !== null);
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

export function bodyExample({ operation }: Endpoint, document: OpenApi): unknown {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema === undefined ? undefined : exampleOf(schema, document);
}

/** The curl command of an endpoint. Null if only signed-in members may call it. */
export function curlOf(endpoint: Endpoint, document: OpenApi): string | null {
  const { method, path, operation } = endpoint;
  const { security, parameters = [] } = operation;
  if (security.length > 0 && !security.some((each) => "ApiKey" in each)) return null;
  const values = new Map(parameters.map((each) => [each.name, String(exampleOf(each.schema, document))]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ""));
  const required = parameters.filter((each) => each.in === "query" && each.required);
  const query = new URLSearchParams(required.map(({ name }) => [name, values.get(name) ?? ""])).toString();
  const body = bodyExample(endpoint, document);
  const parts = [
    `curl -X ${method} "$SERVER${filled}${query === "" ? "" : `?${query}`}"`,
    ...(security.length > 0 ? ['-H "X-API-Key: $KEY"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(" \\\n  ");
}
