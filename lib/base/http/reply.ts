import { randomUUID } from "node:crypto";
import { env } from "#lib/base/env.ts";
import {
  ApiError,
  busy,
  databaseAway,
  isCanceled,
  isDatabaseAway,
  isLockConflict,
  isTransactionLate,
  tryAgain,
} from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { corsHeaders } from "./cors.ts";

export interface Reply {
  status: number;
  body?: unknown;
  /** Sent instead of JSON, for example CSV or an image. */
  raw?: BodyInit;
  headers?: Record<string, string>;
}

/** 200 with JSON. */
export function ok(body: unknown, headers?: Record<string, string>): Reply {
  return { status: 200, body, headers };
}

/** 201 with JSON. `location`: address of the new resource. */
export function created(body: unknown, location?: string): Reply {
  return { status: 201, body, headers: location === undefined ? {} : { Location: location } };
}

/** 204. */
export function noContent(headers?: Record<string, string>): Reply {
  return { status: 204, headers };
}

/** 200 with a body that is not JSON. */
export function raw(body: BodyInit, contentType: string, headers: Record<string, string> = {}): Reply {
  return { status: 200, raw: body, headers: { "Content-Type": contentType, ...headers } };
}

/** The client's request id if valid, else a new one. */
export function requestIdOf(given: string | string[] | null | undefined): string {
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** @param preflightAllow for a CORS preflight: the methods of the path */
export function respond(
  request: Request,
  requestId: string,
  reply: Reply,
  preflightAllow?: string,
): Response {
  const headers: Record<string, string> = {
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    ...corsHeaders(request.headers.get("origin"), env().CORS_ORIGINS, preflightAllow),
    ...reply.headers,
  };
  if (reply.raw !== undefined) return new Response(reply.raw, { status: reply.status, headers });
  if (reply.body === undefined) return new Response(null, { status: reply.status, headers });
  headers["Content-Type"] = "application/json; charset=utf-8";
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
}

/**
 * Turns any error into an `ApiError`, and logs those that the caller did not cause. An unknown error gets a fixed text; the
 * log has it under the request id.
 */
export function knownError(requestId: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseAway(error) || isCanceled(error)) {
    const known = isDatabaseAway(error) ? databaseAway(error) : tryAgain("database_canceled");
    log.warn({ reason: reasonOf(error), request_id: requestId }, known.message);
    return known;
  }
  if (isLockConflict(error) || isTransactionLate(error)) {
    log.warn(
      { reason: reasonOf(error), request_id: requestId },
      "deadlock or transaction timeout: rolled back, answered 503",
    );
    return busy();
  }
  log.error({ err: error, request_id: requestId }, "request failed");
  return new ApiError("internal");
}

/** The response to an error, see `knownError`. */
export function respondError(request: Request, requestId: string, error: unknown): Response {
  const known = knownError(requestId, error);
  const headers = { ...known.headers };
  if (known.status === 401) headers["WWW-Authenticate"] ??= 'ApiKey realm="api"';
  return respond(request, requestId, { status: known.status, body: known, headers });
}

/** One line without a stack, because every request logs it while the database is away. */
function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
  return (lines.at(-1) ?? "").trim().slice(0, 300);
}

/** The response to HEAD. */
export function withoutBody(response: Response): Response {
  return new Response(null, { status: response.status, headers: response.headers });
}
