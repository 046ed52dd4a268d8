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
  /** Reason of a `wait`; null otherwise. */
  readonly wait_reason: WaitReason | null;
  /** Head of the answer with `too_large`, where the host answered. */
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

/** Kinds after which another request would end in the same way: the host answered, or may not be asked. */
const LASTING: ReadonlySet<RemoteErrorKind> = new Set([
  "not_found",
  "not_compatible",
  "needs_token",
  "token_refused",
  "unexpected",
  "refused",
  "too_large",
]);

export function isLasting(error: unknown): boolean {
  return error instanceof RemoteError && LASTING.has(error.kind);
}

/** The answer to our caller: 504 after a timeout, 503 with `Retry-After` when nothing was sent, otherwise 502. */
export function apiErrorOf({ kind, message, retry_at }: RemoteError): ApiError {
  if (kind === "timeout") return new ApiError("remote_timeout", { message });
  if (kind !== "wait") return new ApiError("remote_failed", { message });
  const wait = retry_at === null ? 1 : (retry_at.getTime() - now().getTime()) / 1000;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(wait))) };
  return new ApiError("remote_waiting", { message }, { headers });
}

/** Failures by code of undici, Node.js or TLS. The first match counts. */
const FAILURES: readonly [RegExp, RemoteErrorKind, (host: string) => string][] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, "timeout", (host) => `${host} could not be reached in time.`],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, "timeout", (host) => `${host} did not answer in time.`],
  [/_EXCEEDED_MAX_SIZE$|_OVERFLOW$/, "too_large", (host) => `${host} sent more than is accepted.`],
  [/^(ENOTFOUND|ENODATA)$/, "unreachable", (host) => `The host name ${host} could not be found.`],
  [
    /^EAI_/,
    "unreachable",
    () => "No host name can be looked up here: check the internet connection of this machine.",
  ],
  [/^ECONNREFUSED$/, "unreachable", (host) => `${host} refused the connection.`],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    "unreachable",
    (host) => `There is no way to ${host} from here.`,
  ],
  [/^HPE_/, "unreachable", (host) => `${host} does not answer in HTTP.`],
  [
    /^(Z_|ERR__ERROR_FORMAT|ERR_BROTLI)/,
    "not_compatible",
    (host) => `${host} sent a body that cannot be unpacked.`,
  ],
  [
    /^(ERR_TLS_|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_SSL_)/,
    "unreachable",
    (host) => `The certificate of ${host} is not valid.`,
  ],
  [/(?:)/, "unreachable", (host) => `The connection to ${host} broke off.`],
];

/** Converts an error to one with a sentence that names `host`. A `RemoteError` stays as it is. */
export function toRemoteError(error: unknown, host: string): RemoteError {
  if (error instanceof RemoteError) return error;
  const { code = "" } = (error ?? {}) as { code?: string };
  const [, kind, say] = FAILURES.find(([codes]) => codes.test(code)) as (typeof FAILURES)[number];
  return new RemoteError(kind, say(host), { cause: error });
}
