import { type Dispatcher, request } from "undici";
import { env } from "#lib/base/env.ts";
import packageJson from "../../package.json" with { type: "json" };
import { refuseHostname } from "./address-rules.ts";
import { allowedPrivateOrigins, isUsualPort } from "./allowed-origins.ts";
import { type Resolve, dispatcherFor } from "./checked-connections.ts";
import { readBody } from "./read-body.ts";
import { RemoteError, toRemoteError } from "./remote-error.ts";

export { checkHost, originFor } from "./allowed-origins.ts";

/** Limit of an unpacked body: a page of 40 long posts, or a large picture. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Time until the headers. Connecting has 5 s of its own. */
const HEADERS_TIMEOUT_MS = 8_000;
const TOTAL_TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface GuardedFetchOptions {
  /** Limit of the unpacked body; default 8 MiB. With a status ≥ 400 the body is cut at 64 KiB. */
  maxBytes?: number;
  /** Default `application/json`. */
  accept?: string;
  method?: "GET" | "HEAD" | "POST";
  /** Body of the request; requires a `content-type` in `headers`. */
  body?: string | null;
  headers?: Record<string, string>;
  /** Aborts the request, which then fails as `aborted`. */
  signal?: AbortSignal;
  /** Replaces DNS in tests; its addresses are checked too. */
  resolve?: Resolve;
  /** Origins that may be private; default `ALLOWED_PRIVATE_HOSTS`. */
  allowedOrigins?: readonly string[];
  /** Shortens the limit of 15 s; cannot lengthen it. */
  timeoutMs?: number;
  /** Time until the headers; default 8 s. */
  headersTimeoutMs?: number;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case; repeated headers joined by ", ". */
  headers: Record<string, string>;
  body: Buffer;
  /** Address of the response, after redirects. */
  url: string;
}

export type HostRequest = (url: string, options?: GuardedFetchOptions) => Promise<GuardedResponse>;

/**
 * The only client for other servers; docs/fediverse.md#safe-downloads. Allow-listed origins may use http,
 * any port and private addresses. Every status except a redirect is returned.
 *
 * @throws RemoteError when there is no response
 */
export async function guardedFetch(url: string, options: GuardedFetchOptions = {}): Promise<GuardedResponse> {
  const allowed = options.allowedOrigins ?? allowedPrivateOrigins();
  const patience = AbortSignal.timeout(Math.min(options.timeoutMs ?? TOTAL_TIMEOUT_MS, TOTAL_TIMEOUT_MS));
  const signal = options.signal ? AbortSignal.any([patience, options.signal]) : patience;
  let target = judgeUrl(url, allowed);
  let headers = { ...ownHeaders(options.accept), ...options.headers };
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await request(target, {
        method: options.method ?? "GET",
        headers,
        body: options.body ?? null,
        signal,
        headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
        // TOTAL_TIMEOUT_MS limits a slow body.
        bodyTimeout: 0,
        dispatcher: dispatcherFor(options.resolve, !allowed.includes(target.origin)),
      });
      // The error of a destroyed body would be uncaught.
      response.body.on("error", () => undefined);
      if (!REDIRECTS.has(response.statusCode)) {
        return await finish(response, target, options.maxBytes ?? MAX_BYTES);
      }
      response.body.destroy();
      if (redirects === MAX_REDIRECTS) {
        throw new RemoteError("not_compatible", `${target.host} redirects more than ${MAX_REDIRECTS} times.`);
      }
      const next = judgeRedirect(response, target, allowed, options);
      // A token must not reach another origin.
      if (next.origin !== target.origin) headers = ownHeaders(options.accept);
      target = next;
    }
  } catch (error) {
    if (options.signal?.aborted)
      throw new RemoteError("aborted", "The request was called off.", { cause: error });
    if (patience.aborted) {
      throw new RemoteError("timeout", `${target.host} did not answer in time.`, { cause: error });
    }
    throw toRemoteError(error, target.host);
  }
}

/** @throws RemoteError `refused` */
function judgeUrl(text: string, allowed: readonly string[]): URL {
  const refuse = (sentence: string) => new RemoteError("refused", sentence);
  const url = URL.parse(text);
  if (url === null) throw refuse("The address is not a URL.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse(`${url.protocol} addresses are not asked.`);
  if (url.username !== "" || url.password !== "") throw refuse("The address carries credentials.");
  if (allowed.includes(url.origin)) return url;
  const refusal = refuseHostname(url.hostname);
  if (refusal !== null) throw refuse(refusal);
  if (url.protocol !== "https:") throw refuse(`${url.host} would be asked without encryption.`);
  if (!isUsualPort(url)) throw refuse(`${url.host} names a port other than 443 and 80.`);
  return url;
}

function judgeRedirect(
  response: Dispatcher.ResponseData,
  from: URL,
  allowed: readonly string[],
  options: GuardedFetchOptions,
): URL {
  const location = response.headers["location"];
  const text = Array.isArray(location) ? location[0] : location;
  if (text === undefined || !URL.canParse(text, from)) {
    throw new RemoteError("not_compatible", `${from.host} redirects to no address.`);
  }
  const to = judgeUrl(new URL(text, from).href, allowed);
  const keepsMethod = response.statusCode === 307 || response.statusCode === 308;
  if (options.method === "POST" && (!keepsMethod || to.origin !== from.origin)) {
    throw new RemoteError(
      "not_compatible",
      `${from.host} redirects a request that cannot be repeated elsewhere.`,
    );
  }
  return to;
}

async function finish(
  response: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): Promise<GuardedResponse> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  const head = { status: response.statusCode, headers };
  return { ...head, body: await readBody(response.body, head, url.host, maxBytes), url: url.href };
}

function ownHeaders(accept = "application/json"): Record<string, string> {
  return { "user-agent": userAgent(), accept, "accept-encoding": "gzip, deflate, br" };
}

/** `Sluice/<version> (+<contact URL>)`. */
export function userAgent(): string {
  const contact = (env().CONTACT_URL || env().PUBLIC_URL || "").replace(/[^\x21-\x7e]|[()]/g, "");
  const product = `Sluice/${packageJson.version}`;
  return contact === "" ? product : `${product} (+${contact})`;
}
