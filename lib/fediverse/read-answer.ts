import type { GuardedResponse } from "./guarded-fetch.ts";
import { readRetryAfter } from "./rate-headers.ts";
import { readObject, readText } from "./lenient.ts";
import { RemoteError, type RemoteErrorKind } from "./remote-error.ts";

export interface AnswerContext {
  host: string;
  /** Completes "… does not know …". */
  subject: string;
  withToken: boolean;
}

/** @throws RemoteError unless the response is 2xx with JSON */
export function readJson(response: GuardedResponse, context: AnswerContext): unknown {
  if (response.status < 200 || response.status > 299) throw failureOf(response, context);
  try {
    return parseBody(response);
  } catch (error) {
    const what = looksLikeHtml(response) ? "a web page" : "something that is not JSON";
    throw new RemoteError("not_compatible", `${context.host} answered with ${what}.`, {
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

function failureOf(response: GuardedResponse, context: AnswerContext): RemoteError {
  const { status } = response;
  const { host, subject } = context;
  const fail = (kind: RemoteErrorKind, sentence: string, retryAt: number | null = null) =>
    new RemoteError(kind, sentence, { status, retry_at: retryAt === null ? null : new Date(retryAt) });
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
