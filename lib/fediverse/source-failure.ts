import { now } from "#lib/base/clock.ts";
import { ApiError } from "#lib/base/errors.ts";
import { FetchFailure } from "./fetch-failure.ts";
import { HostWait } from "./governed-request.ts";
import type { GuardedResponse } from "./guarded-fetch.ts";
import { readRetryAfter } from "./rate-headers.ts";
import { readObject, readText } from "./read-value.ts";

/**
 * `wait`: forbidden by the governor, nothing was sent. `needs_token`: requires a login. `not_compatible`:
 * HTML, broken JSON or another shape. `refused`: by our own rules.
 */
export type SourceFailureKind =
  | "wait"
  | "needs_token"
  | "token_refused"
  | "not_found"
  | "rate_limited"
  | "server_error"
  | "not_compatible"
  | "unexpected"
  | "timeout"
  | "unreachable"
  | "refused"
  | "too_large"
  | "aborted";

/** `message` becomes the stream's last error and the response's `detail`. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
  readonly kind: SourceFailureKind;
  /** Status of our response: 503 nothing was sent, 504 timeout, 502 anything else. */
  readonly gateway_status: 502 | 503 | 504;
  /** Status of the other server's answer; null without one. */
  readonly status: number | null;
  readonly retry_at: Date | null;

  constructor(
    kind: SourceFailureKind,
    message: string,
    more: { status?: number; retry_at?: Date | null; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.gateway_status = kind === "wait" ? 503 : kind === "timeout" ? 504 : 502;
    this.status = more.status ?? null;
    this.retry_at = more.retry_at ?? null;
  }
}

/** Returns other errors unchanged. */
export function toSourceFailure(error: unknown): unknown {
  if (error instanceof HostWait) {
    return new SourceFailure("wait", error.message, { retry_at: error.until, cause: error });
  }
  if (!(error instanceof FetchFailure)) return error;
  return new SourceFailure(kindOf(error), error.message, { cause: error });
}

function kindOf(failure: FetchFailure): SourceFailureKind {
  switch (failure.kind) {
    case "timeout":
    case "refused":
    case "too_large":
    case "aborted":
      return failure.kind;
    case "network":
      return "unreachable";
    case "bad_redirect":
    case "unreadable":
      return "not_compatible";
  }
}

export interface AnswerContext {
  host: string;
  /** Completes "… does not know …". */
  subject: string;
  withToken: boolean;
}

/** @throws SourceFailure unless the response is 2xx with JSON */
export function readJson(response: GuardedResponse, context: AnswerContext): unknown {
  if (response.status < 200 || response.status > 299) throw failureOf(response, context);
  try {
    return parseBody(response);
  } catch (error) {
    const what = looksLikeHtml(response) ? "a web page" : "something that is not JSON";
    throw new SourceFailure("not_compatible", `${context.host} answered with ${what}.`, {
      status: response.status,
      cause: error,
    });
  }
}

/**
 * `TextDecoder` skips a byte-order mark (RFC 8259 §8.1).
 *
 * @throws SyntaxError
 */
export function parseBody({ body }: Pick<GuardedResponse, "body">): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

function failureOf(response: GuardedResponse, context: AnswerContext): SourceFailure {
  const { status } = response;
  const { host, subject } = context;
  const fail = (kind: SourceFailureKind, sentence: string, retryAt: number | null = null) =>
    new SourceFailure(kind, sentence, { status, retry_at: retryAt === null ? null : new Date(retryAt) });
  const retryAt = readRetryAfter(response.headers, Date.now());
  if (status === 429) return fail("rate_limited", `${host} says that it was asked too often (429).`, retryAt);
  if (status >= 500) return fail("server_error", `${host} is in trouble (${status}).`, retryAt);
  if (status === 401 || status === 403 || (status === 422 && /authenticat/i.test(errorText(response)))) {
    return context.withToken
      ? fail("token_refused", `${host} does not accept the stored token (${status}).`)
      : fail("needs_token", `${host} shows this only to its accounts: a token is needed (${status}).`);
  }
  if (status === 404 || status === 410)
    return fail("not_found", `${host} does not know ${subject} (${status}).`);
  return fail("unexpected", `${host} gave an unexpected answer (${status}).`);
}

function errorText(response: GuardedResponse): string {
  try {
    return readText(readObject(parseBody(response))?.["error"], 500);
  } catch {
    return "";
  }
}

function looksLikeHtml(response: GuardedResponse): boolean {
  return (
    /html/i.test(response.headers["content-type"] ?? "") ||
    /^\s*</.test(response.body.toString("utf8", 0, 100))
  );
}

/** 502, 503 with `Retry-After`, or 504. */
export function remoteError(failure: SourceFailure): ApiError {
  const message = failure.message;
  if (failure.gateway_status === 504) return new ApiError("remote_timeout", { message });
  if (failure.gateway_status === 502) return new ApiError("remote_failed", { message });
  const wait = failure.retry_at === null ? 1 : (failure.retry_at.getTime() - now().getTime()) / 1000;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
  return new ApiError("remote_waiting", { message }, { headers });
}
