/**
 * `refused`: by our rules, nothing was sent. `unreadable`: the body cannot be unpacked. `aborted`: by the
 * caller.
 */
export type FetchFailureKind =
  | "refused"
  | "timeout"
  | "network"
  | "too_large"
  | "bad_redirect"
  | "unreadable"
  | "aborted";

/** Status and headers of an answer whose body was not read. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string>;
}

/** `message` is one sentence that may be shown to the operator. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly kind: FetchFailureKind;
  /** With `too_large`: the host answered. */
  readonly answer: AnswerHead | null;

  constructor(kind: FetchFailureKind, message: string, options: ErrorOptions & { answer?: AnswerHead } = {}) {
    super(message, options);
    this.kind = kind;
    this.answer = options.answer ?? null;
  }
}

const CERTIFICATE_CODES = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_SSL_)/;

/** There is no resolver, or no internet. */
const NO_NAMES = "No host name can be looked up here: check the internet connection of this machine.";

/** Maps an error of undici, Node.js or TLS to a failure with a sentence that names `host`. A `FetchFailure` stays as it is. */
export function toFetchFailure(error: unknown, host: string): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const code = errorCode(error);
  const say = (kind: FetchFailureKind, sentence: string) =>
    new FetchFailure(kind, sentence, { cause: error });
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
      return say("network", `The host name ${host} could not be found.`);
    case "EAI_AGAIN":
    case "EAI_FAIL":
      return say("network", NO_NAMES);
    case "ECONNREFUSED":
      return say("network", `${host} refused the connection.`);
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "EADDRNOTAVAIL":
      return say("network", `There is no way to ${host} from here.`);
  }
  if (code.startsWith("HPE_")) return say("network", `${host} does not answer in HTTP.`);
  if (code.startsWith("Z_") || code.startsWith("ERR__ERROR_FORMAT") || code.startsWith("ERR_BROTLI")) {
    return say("unreadable", `${host} sent a body that cannot be unpacked.`);
  }
  if (CERTIFICATE_CODES.test(code)) return say("network", `The certificate of ${host} is not valid.`);
  return say("network", `The connection to ${host} broke off.`);
}

function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
