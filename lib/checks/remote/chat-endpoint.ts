import { Agent, request, type Dispatcher } from "undici";
import { env } from "#lib/base/env.ts";
import { readBody } from "#lib/fediverse/read-body.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { RemoteFailure } from "./remote-failure.ts";
import { type RemoteError, toRemoteError } from "#lib/fediverse/remote-error.ts";

const MAX_RESPONSE_BYTES = 256 * 1024;
/** Longest pause that a provider may ask for, in seconds. */
const MAX_RETRY_AFTER = 3600;

const agent = new Agent({ connect: { timeout: 5_000 }, keepAliveTimeout: 4_000 });

/** Longest time for an answer. A round of background work takes at most 50 s on Vercel. */
export const TIMEOUT_MS = 20_000;

/** Text and pictures are sent to a chat model. */
export function isChatModelOn(): boolean {
  const { AI_BASE_URL, AI_MODEL } = env();
  return AI_BASE_URL !== undefined && AI_MODEL !== undefined;
}

/** Host of `AI_BASE_URL`, with a port that is not the usual one. */
export function chatHost(): string {
  return new URL(env().AI_BASE_URL ?? "").host;
}

/**
 * The operator's own address, so it may be private and does not go through the guarded client. Redirects are not
 * followed: the key and the post are for this host only.
 *
 * @throws RemoteFailure
 */
export async function askEndpoint(body: object, signal: AbortSignal): Promise<unknown> {
  const { AI_BASE_URL = "", AI_API_KEY } = env();
  const host = chatHost();
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await request(`${AI_BASE_URL.replace(/\/+$/, "")}/chat/completions`, {
      method: "POST",
      headers: {
        "user-agent": `Sluice/${packageJson.version}`,
        "content-type": "application/json",
        accept: "application/json",
        ...(AI_API_KEY === undefined ? {} : { authorization: `Bearer ${AI_API_KEY}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([patience, signal]),
      dispatcher: agent,
    });
    // Otherwise the error of a destroyed body is uncaught.
    response.body.on("error", () => undefined);
    const head = { status: response.statusCode, headers: headersOf(response) };
    const answer = await readBody(response.body, head, host, MAX_RESPONSE_BYTES);
    requireSuccess(head.status, head.headers, host);
    return parse(answer, host);
  } catch (error) {
    if (error instanceof RemoteFailure) throw error;
    if (signal.aborted) throw new RemoteFailure("aborted", "The request was called off.", { cause: error });
    if (patience.aborted) {
      throw new RemoteFailure("timeout", `${host} did not answer within ${TIMEOUT_MS / 1000} s.`);
    }
    throw toRemoteFailure(toRemoteError(error, host));
  }
}

function headersOf(response: Dispatcher.ResponseData): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function requireSuccess(status: number, headers: Record<string, string>, host: string): void {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400) {
    throw new RemoteFailure("status", `${host} redirects (${status}), and redirects are not followed.`);
  }
  const hint = HINTS[status];
  const sentence = `${host} answered ${status}${hint === undefined ? "" : `: ${hint}`}.`;
  const until = retryTime(headers["retry-after"]);
  if (status === 400 || status === 413 || status === 422) throw new RemoteFailure("refused", sentence);
  throw new RemoteFailure("status", sentence, { until });
}

/** The provider's own text is not quoted: it may contain parts of the key. */
const HINTS: Record<number, string> = {
  400: "it does not accept the request",
  401: "it refuses the key",
  402: "the account has no credit",
  403: "it refuses the key",
  404: "there is no such address or model",
  413: "the request is too large",
  429: "it asks to wait",
};

function retryTime(value: string | undefined): Date | null {
  if (value === undefined || !/^\d{1,9}$/.test(value)) return null;
  return new Date(Date.now() + Math.min(Number(value), MAX_RETRY_AFTER) * 1000);
}

function parse(answer: Buffer, host: string): unknown {
  try {
    return JSON.parse(answer.toString("utf8"));
  } catch (error) {
    throw new RemoteFailure("nonsense", `${host} did not answer with JSON.`, { cause: error });
  }
}

function toRemoteFailure(failure: RemoteError): RemoteFailure {
  const kind =
    failure.kind === "timeout" ? "timeout" : failure.kind === "unreachable" ? "network" : "nonsense";
  return new RemoteFailure(kind, failure.message, { cause: failure });
}
