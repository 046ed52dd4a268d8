import { now } from "#lib/base/clock.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { WaitReason } from "./governor.ts";

/**
 * `wait`: forbidden by the governor, nothing was sent. `refused`: by our own rules, nothing was sent. `needs_token`:
 * requires a login. `not_compatible`: HTML, broken JSON, another shape, a body that cannot be unpacked, or a redirect
 * that is not followed. `aborted`: by the caller.
 */
export type RemoteErrorKind =
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

/** Status and headers of an answer whose body was not read. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string>;
}

interface RemoteErrorFacts extends ErrorOptions {
  status?: number;
  retry_at?: Date | null;
  wait_reason?: WaitReason;
  answer?: AnswerHead;
}

/** Another server gave no usable answer. `message` is one sentence that may be shown to the operator. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly kind: RemoteErrorKind;
  /** Status of the other server's answer; null without one. */
  readonly status: number | null;
  readonly retry_at: Date | null;
  /** With `wait`. */
  readonly wait_reason: WaitReason | null;
  /** With `too_large`: the host answered. */
  readonly answer: AnswerHead | null;

  constructor(kind: RemoteErrorKind, message: string, facts: RemoteErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status ?? null;
    this.retry_at = facts.retry_at ?? null;
    this.wait_reason = facts.wait_reason ?? null;
    this.answer = facts.answer ?? null;
  }
}

/** The answer to our caller: 504 after a timeout, 503 with `Retry-After` when nothing was sent, otherwise 502. */
export function apiErrorOf({ kind, message, retry_at }: RemoteError): ApiError {
  if (kind === "timeout") return new ApiError("remote_timeout", { message });
  if (kind !== "wait") return new ApiError("remote_failed", { message });
  const wait = retry_at === null ? 1 : (retry_at.getTime() - now().getTime()) / 1000;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
  return new ApiError("remote_waiting", { message }, { headers });
}

const CERTIFICATE_CODES = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_SSL_)/;

/** There is no resolver, or no internet. */
const NO_NAMES = "No host name can be looked up here: check the internet connection of this machine.";

/** Maps an error of undici, Node.js or TLS to one with a sentence that names `host`. A `RemoteError` stays as it is. */
export function toRemoteError(error: unknown, host: string): RemoteError {
  if (error instanceof RemoteError) return error;
  const code = errorCode(error);
  const say = (kind: RemoteErrorKind, sentence: string) => new RemoteError(kind, sentence, { cause: error });
  switch (code) {
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return say("timeout", `${host} could not be reached in time.`);
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return say("timeout", `${host} did not answer in time.`);
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
    case "UND_ERR_HEADERS_OVERFLOW":
    case "HPE_HEADER_OVERFLOW":
      return say("too_large", `${host} sent more than is accepted.`);
    case "ENOTFOUND":
    case "ENODATA":
      return say("unreachable", `The host name ${host} could not be found.`);
    case "EAI_AGAIN":
    case "EAI_FAIL":
      return say("unreachable", NO_NAMES);
    case "ECONNREFUSED":
      return say("unreachable", `${host} refused the connection.`);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return say("unreachable", `There is no way to ${host} from here.`);
  }
  if (code.startsWith("HPE_")) return say("unreachable", `${host} does not answer in HTTP.`);
  if (code.startsWith("Z_") || code.startsWith("ERR__ERROR_FORMAT") || code.startsWith("ERR_BROTLI")) {
    return say("not_compatible", `${host} sent a body that cannot be unpacked.`);
  }
  if (CERTIFICATE_CODES.test(code)) return say("unreachable", `The certificate of ${host} is not valid.`);
  return say("unreachable", `The connection to ${host} broke off.`);
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
