import type { z } from "zod";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { DryRunBody, DryRunQuery, MAX_ID, refusalOf } from "#lib/base/http/fields.ts";
import { measure } from "#lib/base/http/measure.ts";
import { observer, register, unknownId, type AnyOperation, type Method } from "#lib/base/http/operation.ts";
import type { Scope } from "#lib/base/http/permissions.ts";
import { parseJson, readBody } from "#lib/base/http/read-body.ts";
import { requestIdOf, respond, respondError, withoutBody } from "#lib/base/http/reply.ts";
import { sentenceOf } from "#lib/base/http/sentence-of.ts";
import { isSameSecret, keyOf } from "./api-key.ts";
import { authenticate, authenticateInline, authorise } from "./authenticate.ts";

export { operation } from "#lib/base/http/operation.ts";
export { created, noContent, ok, raw } from "#lib/base/http/reply.ts";

type Handler = (
  request: Request,
  context?: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>;
type Exports = Record<Method | "HEAD" | "OPTIONS", Handler>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The handlers of one path below `base`. Methods without an operation answer 405 with `Allow`, before authentication. */
export function routes(
  path: string,
  operations: Partial<Record<Method, AnyOperation>>,
  base = "/api/v1",
): Exports {
  register(base, path, operations);
  const head = operations.GET !== undefined && operations.GET.noHead !== true;
  const allow = [...methods.filter((m) => operations[m]), ...(head ? ["HEAD"] : []), "OPTIONS"]
    .sort()
    .join(", ");
  const refuse: Handler = (request) =>
    Promise.resolve(
      respondError(
        request,
        requestIdOf(request.headers.get("x-request-id")),
        new ApiError("method_not_allowed", {}, { headers: { Allow: allow } }),
      ),
    );
  const handlers = {} as Exports;
  for (const method of methods) {
    const declared = operations[method];
    handlers[method] = declared
      ? async (request, context) => {
          const begun = performance.now();
          const response = await run(declared, method, request, context?.params);
          measure(method, base + path, response.status, (performance.now() - begun) / 1000);
          await observer.answered?.(path, method, declared, response);
          return response;
        }
      : refuse;
  }
  const { GET } = handlers;
  handlers.HEAD = head ? async (request, context) => withoutBody(await GET(request, context)) : refuse;
  handlers.OPTIONS = (request) =>
    Promise.resolve(
      respond(
        request,
        requestIdOf(request.headers.get("x-request-id")),
        { status: 204, headers: { Allow: allow } },
        allow,
      ),
    );
  return handlers;
}

/** Handlers of a path that does not exist: 404 for every method, before authentication. */
export function unknownPath(): Exports {
  const refuse: Handler = (request) =>
    Promise.resolve(
      respondError(request, requestIdOf(request.headers.get("x-request-id")), new ApiError("not_found")),
    );
  const HEAD: Handler = async (request) => withoutBody(await refuse(request));
  return { GET: refuse, HEAD, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
}

/** Request id → authenticate → authorise → size → parse → handle → serialise (docs/api.md#order-of-refusals). */
async function run(
  op: AnyOperation,
  method: Method,
  request: Request,
  paramsPromise: Promise<Record<string, string | string[]>> | undefined,
): Promise<Response> {
  const requestId = requestIdOf(request.headers.get("x-request-id"));
  try {
    const changes = method !== "GET" || op.changes === true;
    const caller = await identify(op, request, changes);
    const input = await readInput(op, request, (await paramsPromise) ?? {}).catch(async (error: unknown) => {
      // The handler would have checked the key, whose refusal comes first.
      if (op.auth === "inline" && op.scope) authorise(await authenticate(request, true), op.scope);
      throw error;
    });
    const reply = await op.handle({ ...caller, ...input, request, requestId } as never);
    return respond(request, requestId, reply);
  } catch (error) {
    return respondError(request, requestId, error);
  }
}

async function readInput(op: AnyOperation, request: Request, raw: Record<string, string | string[]>) {
  // An undeclared body is ignored unread: consumers send various ones.
  const text = op.body || op.dryRun !== undefined ? await readBody(request) : "";
  const body = op.body ? parseBody(op, text) : undefined;
  const query = op.query ? parseQuery(op.query, request.url) : undefined;
  const dryRun = op.dryRun !== undefined && wantsDryRun(request.url, text);
  // PostgreSQL stores no NUL.
  const impossible = Object.values(raw)
    .flat()
    .find((value) => value.includes("\0"));
  if (impossible !== undefined) throw unknownId(op, impossible);
  return { params: parseIds(op, raw as Record<string, string>), raw, query, body, dryRun };
}

async function identify(op: AnyOperation, request: Request, changes: boolean) {
  if (op.auth === "none") return {};
  if (op.scope === undefined) throw new Error("an operation without a scope must say auth: none");
  const token = op.token?.();
  if (token !== undefined && isSameSecret(keyOf(request.headers) ?? "", token)) return {};
  if (op.auth === "inline" && op.scope !== null)
    return { caller: await authenticateInline(request, op.scope) };
  const principal = await authenticate(request, changes);
  if (op.sessionOnly === true && principal.kind === "key") throw new ApiError("session_only");
  const has = (scope: Scope | undefined) => scope !== undefined && principal.scopes.includes(scope);
  if (op.scope !== null && !has(op.orScope)) authorise(principal, op.scope);
  return { principal };
}

function parseBody(op: AnyOperation, text: string): unknown {
  const isEmpty = text.trim() === "" && op.bodyOptional === true;
  return parse(op.body as z.ZodType, isEmpty ? {} : parseJson(text), "body");
}

function parseQuery(schema: z.ZodType, url: string): unknown {
  // The last value of a repeated parameter counts; fromEntries keeps it.
  return parse(schema, Object.fromEntries(new URL(url).searchParams), "query");
}

/** Whether the query or the body has `dry_run`. A body that is not a JSON object has nothing. */
function wantsDryRun(url: string, text: string): boolean {
  const named = parseQuery(DryRunQuery, url) as z.output<typeof DryRunQuery>;
  return named.dry_run === true || parse(DryRunBody, objectIn(text), "body").dry_run === true;
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Parses a value.
 *
 * @param where path of an issue about the whole value: `body` or `query`
 * @throws validation with each invalid field, or the error of an issue made by `refusedAs`
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: sentenceOf });
  if (result.success) return result.data;
  const refusal = result.error.issues.map(refusalOf).find((code) => code !== undefined);
  if (refusal !== undefined) throw new ApiError(refusal);
  // The first problem of each field: zod measures a text in place of a list in characters.
  const messages = new Map<string, string>();
  for (const { path, message } of result.error.issues) {
    const name = path.join(".") || where;
    if (!messages.has(name)) messages.set(name, message);
  }
  throw validationError(Array.from(messages, ([path, message]) => ({ path, message })));
}

function parseIds(op: AnyOperation, raw: Record<string, string>): Record<string, number> {
  const params: Record<string, number> = {};
  for (const name of op.ids ?? []) {
    const value = raw[name] ?? "";
    const id = /^\d{1,10}$/.test(value) && Number(value) <= MAX_ID ? Number(value) : 0;
    if (id === 0) throw unknownId(op, value);
    params[name] = id;
  }
  return params;
}
