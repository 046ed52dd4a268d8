import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiHeadersObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverrideContext,
  type ZodOpenApiParameterObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { ApiError, statusOf, textOf, type ErrorCode } from "#lib/base/errors.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { scopesOf, roles, type Scope } from "./permissions.ts";
import {
  commonHeaders,
  describedStatus,
  describedParameter,
  guide,
  securitySchemes,
  tags,
} from "./openapi-words.ts";
import { MAX_ID } from "./fields.ts";
import { registeredPaths, type AnyOperation, type Method, type RegisteredPath } from "./operation.ts";
import { Failure, parameterNames, queryOf, refusalCodes, ValidationFailure } from "./refusals.ts";

/* The OpenAPI 3.1 document, generated from the declared operations. Import app/api/v1/all-routes.ts first. */

const API = "/api/v1";

/** The whole document. */
export function openApiDocument(): Record<string, unknown> {
  const paths = registeredPaths().filter(({ base }) => base === API || base === "");
  const described = {
    openapi: "3.1.0" as const,
    info: {
      title: "Sluice",
      version: packageJson.version,
      description: guide,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: API, description: "This installation" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ ApiKey: [] }],
    paths: Object.fromEntries(paths.map(describePath)),
    components: { securitySchemes, headers: commonHeaders },
  };
  const document = JSON.stringify(createDocument(described, { override: tidy }));
  return JSON.parse(document, withFurtherFields) as Record<string, unknown>;
}

/** Removes `additionalProperties: false`, which zod writes for responses: later versions may add fields (docs/api.md#versions). */
function withFurtherFields(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}

/** Adds the default of a parameter parsed from text, and removes the limits of JavaScript's integers. */
function tidy({ zodSchema, jsonSchema }: ZodOpenApiOverrideContext): void {
  const { def } = zodSchema._zod;
  if (def.type === "default") jsonSchema.default ??= (def as { defaultValue?: unknown }).defaultValue;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function describePath({ base, path, operations }: RegisteredPath): [string, ZodOpenApiPathItemObject] {
  // Paths outside /api/v1 name their own server.
  const item: ZodOpenApiPathItemObject = base === API ? {} : { servers: [{ url: "/" }] };
  for (const [method, op] of Object.entries(operations)) {
    item[method.toLowerCase() as Lowercase<Method>] = describeOperation(path, method as Method, op);
  }
  return [path, item];
}

function describeOperation(path: string, method: Method, op: AnyOperation): ZodOpenApiOperationObject {
  const query = queryOf(op);
  return {
    ...(op.id === undefined ? {} : { operationId: op.id }),
    summary: op.summary,
    description: [op.description, requirement(op)].filter(Boolean).join("\n\n"),
    tags: [op.tag],
    security: securityOf(op),
    parameters: [...pathParameters(path, op), ...(op.errors?.includes("stale_reservation") ? [ifMatch] : [])],
    ...(query ? { requestParams: { query: query as z.ZodObject } } : {}),
    ...(op.body ? { requestBody: jsonBody(op.body, op.bodyOptional === undefined) } : {}),
    responses: { ...successes(op), ...refusals(path, method, op) },
  };
}

function jsonBody(schema: z.ZodType, required = true): ZodOpenApiRequestBodyObject {
  return { required, content: { "application/json": { schema } } };
}

function requirement(op: AnyOperation): string {
  if (op.scope === undefined) return "Needs no key.";
  const { scope } = op;
  if (scope === null) return "Needs any valid key.";
  const minRole = roles.find((role) => scopesOf(role).includes(scope)) ?? "admin";
  if (op.sessionOnly) return `For members who are signed in, role ${minRole} or more; no key will do.`;
  return `Needs the scope \`${scope}\` (role ${minRole} or more).`;
}

function securityOf(op: AnyOperation): Record<string, string[]>[] {
  if (op.auth === "none") return [];
  return op.sessionOnly ? [{ Session: [] }] : [{ ApiKey: [] }, { Bearer: [] }, { Session: [] }];
}

function pathParameters(path: string, op: AnyOperation): ZodOpenApiParameterObject[] {
  return parameterNames(path).map((name) => ({
    name,
    in: "path",
    required: true,
    description: describedParameter(name, op),
    schema: op.ids?.includes(name)
      ? { type: "integer", minimum: 1, maximum: MAX_ID, examples: [42] }
      : { type: "string" },
  }));
}

const ifMatch: ZodOpenApiParameterObject = {
  name: "If-Match",
  in: "header",
  description: "`ETag` from `GET /curated/next`. Answers 412 when the reservation has changed.",
  schema: { type: "string", examples: ['"0b0e6a3e-6f1c-4a53-9a53-4a2a4bfb3f0c"'] },
};

const everyAnswer = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };

function successes(op: AnyOperation): ZodOpenApiResponsesObject {
  const described = Object.entries(op.responses).map(([status, declared]) => {
    const schema = declared ?? (op.contentType !== undefined && status === "200" ? z.string() : null);
    return [
      status,
      {
        description: describedStatus(Number(status)),
        headers: { ...everyAnswer, ...headersOf(op.headers?.[status as unknown as 200]) },
        ...(schema && { content: { [op.contentType ?? "application/json"]: { schema } } }),
      },
    ] as const;
  });
  return Object.fromEntries(described);
}

const headerTypes: Record<string, { type: "integer"; minimum: 0 } | { type: "string"; format: "date-time" }> =
  {
    "Retry-After": { type: "integer", minimum: 0 },
    "X-Delivery-Count": { type: "integer", minimum: 0 },
    "X-Total-Count": { type: "integer", minimum: 0 },
    "X-Reservation-Expires-At": { type: "string", format: "date-time" },
  };

function headersOf(declared: Record<string, string> = {}): ZodOpenApiHeadersObject {
  return Object.fromEntries(
    Object.entries(declared).map(([name, description]) => [
      name,
      { description, schema: headerTypes[name] ?? { type: "string" } },
    ]),
  );
}

function refusals(path: string, method: Method, op: AnyOperation): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(refusalCodes(path, method, op), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), describeRefusal(status, codes, op)]),
  );
}

const refusalHeaders: Record<number, Record<string, string>> = {
  401: { "WWW-Authenticate": '`ApiKey realm="api"`' },
  503: { "Retry-After": "Seconds to wait." },
};

function describeRefusal(status: number, codes: ErrorCode[], op: AnyOperation) {
  const headers = { ...everyAnswer, ...headersOf(refusalHeaders[status]) };
  const examples = Object.fromEntries(codes.map((code) => [code, { value: sample(code, op.scope) }]));
  const content = status === 422 ? { schema: ValidationFailure } : { schema: Failure, examples };
  return { description: describedStatus(status), headers, content: { "application/json": content } };
}

const samples = {
  id: "42",
  state: "pending",
  expected: "reserved",
  hashtag: "cats",
  instance: "mastodon.social",
  message: "The problem, in one sentence",
};

function sample(code: ErrorCode, scope: Scope | null | undefined): object {
  const { state, ...others } = samples;
  const isConflict = textOf(code).includes("{state}");
  return new ApiError(code, { ...others, ...(isConflict ? { state } : {}), scope: scope ?? "read" }).toJSON();
}
