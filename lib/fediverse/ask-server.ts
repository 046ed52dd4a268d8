import type { DetectedSoftware } from "./detect-software.ts";
import { originFor, type GuardedResponse, type HostRequest } from "./guarded-fetch.ts";
import { readRetryAfter } from "./governor.ts";
import { readObject, readObjects, readText, type JsonObject } from "./lenient.ts";
import { MisskeyNote, misskeyNoteToStatus, MisskeyProfile } from "./misskey-note.ts";
import { isLasting, RemoteError, type RemoteErrorKind } from "./remote-error.ts";

/** A server to ask, with what is known about it. */
export interface Server {
  /** Normalised, with a non-default port. */
  host: string;
  software: DetectedSoftware;
  /** The token in clear text; null without one. */
  token: string | null;
  /** Sends the request; usually `governedRequest(…)`. */
  request: HostRequest;
}

interface AnswerContext {
  host: string;
  /** Object of the sentence "… does not know …". */
  subject: string;
  token?: string | null;
}

/** @throws RemoteError unless the response is 2xx with JSON */
export function readJson(response: GuardedResponse, context: AnswerContext): unknown {
  if (response.status < 200 || response.status > 299) throw failureOf(response, context);
  try {
    return parseBody(response);
  } catch (error) {
    const isHtml =
      /html/i.test(response.headers["content-type"] ?? "") ||
      /^\s*</.test(response.body.toString("utf8", 0, 100));
    throw notCompatible(
      context.host,
      `answered with ${isHtml ? "a web page" : "something that is not JSON"}`,
      {
        status: response.status,
        cause: error,
      },
    );
  }
}

/**
 * Parses a JSON body. `TextDecoder` skips a byte-order mark (RFC 8259 §8.1).
 *
 * @throws SyntaxError
 */
function parseBody({ body }: GuardedResponse): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

/** JSON object of an error response; null if there is none. */
function errorBody(response: GuardedResponse): JsonObject | null {
  try {
    return readObject(parseBody(response));
  } catch {
    return null;
  }
}

export function notCompatible(host: string, does: string, facts: { status?: number; cause?: unknown } = {}) {
  return new RemoteError("not_compatible", `${host} ${does}.`, facts);
}

function failureOf(response: GuardedResponse, { host, subject, token }: AnswerContext): RemoteError {
  const { status, headers } = response;
  const retryAt = readRetryAfter(headers, Date.now());
  const fail = (kind: RemoteErrorKind, sentence: string, retry_at: number | null = null) =>
    new RemoteError(kind, `${host} ${sentence} (${status}).`, {
      status,
      retry_at: retry_at === null ? null : new Date(retry_at),
    });
  if (status === 429) return fail("rate_limited", "says that it was asked too often", retryAt);
  if (status >= 500) return fail("server_error", "is in trouble", retryAt);
  const asksForLogin = status === 422 && /authenticat/i.test(readText(errorBody(response)?.["error"], 500));
  if (status === 401 || status === 403 || asksForLogin) {
    return token
      ? fail("token_refused", "does not accept the stored token")
      : fail("needs_token", "shows this only to its accounts: a token is needed");
  }
  if (status === 404 || status === 410) return fail("not_found", `does not know ${subject}`);
  return fail("unexpected", "gave an unexpected answer");
}

const authorization = (token: string | null): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

/** Sends a GET request with the token. */
export function askMastodon({ host, token, request }: Server, path: string): Promise<GuardedResponse> {
  return request(`${originFor(host)}${path}`, { headers: authorization(token) });
}

/** Sends a POST request with a JSON body and the token in a header. */
export function askMisskey(
  { host, token, request }: Server,
  endpoint: string,
  body: JsonObject,
): Promise<GuardedResponse> {
  return request(`${originFor(host)}/api/${endpoint}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...authorization(token) },
  });
}

/** HTTP status by Misskey's error code. Misskey answers most errors with 400 and a code. */
const STATUS_BY_CODE = new Map<unknown, number>([
  ["NO_SUCH_NOTE", 404],
  ["SIGNIN_REQUIRED", 401],
  ["CREDENTIAL_REQUIRED", 401],
]);

const errorCode = (response: GuardedResponse) => readObject(errorBody(response)?.["error"])?.["code"];

/** @throws RemoteError when the status is not 2xx */
export function readMisskeyJson(response: GuardedResponse, context: AnswerContext): unknown {
  const status = response.status === 400 ? (STATUS_BY_CODE.get(errorCode(response)) ?? 400) : response.status;
  return readJson({ ...response, status }, context);
}

/** Profiles by user id. Empty when the server refuses; then the posts have `profile_seen: false`. */
export async function fetchMisskeyProfiles(
  notes: readonly MisskeyNote[],
  server: Server,
): Promise<Map<string, MisskeyProfile>> {
  const profiles = new Map<string, MisskeyProfile>();
  const userIds = [...new Set(notes.flatMap((note) => note.user?.id ?? []))];
  if (userIds.length === 0) return profiles;
  try {
    const response = await askMisskey(server, "users/show", { userIds });
    for (const item of readObjects(readMisskeyJson(response, { ...server, subject: "the authors" }), 500)) {
      const profile = MisskeyProfile.parse(item);
      // The short form has no bio and is not a profile.
      if (profile.id !== null && "description" in item) profiles.set(profile.id, profile);
    }
  } catch (error) {
    if (!isLasting(error)) throw error;
  }
  return profiles;
}

/**
 * Reads a status in the shape of Mastodon's API; null when the response is no object.
 *
 * @throws RemoteError; `not_found` also for Misskey's NO_SUCH_NOTE
 */
export async function readStatus(server: Server, id: string): Promise<JsonObject | null> {
  const { host, software } = server;
  const context = { ...server, subject: "this post" };
  // A proxy or a maintenance page answers every path with 404.
  const requireOwn404 = (response: GuardedResponse, isOwn: () => boolean) => {
    if (response.status === 404 && !isOwn())
      throw notCompatible(host, "does not answer like a server of posts (404)", { status: 404 });
  };
  if (software.family === "misskey") {
    const response = await askMisskey(server, "notes/show", { noteId: id });
    requireOwn404(response, () => errorCode(response) === "NO_SUCH_NOTE");
    const { data: note } = MisskeyNote.safeParse(readMisskeyJson(response, context));
    if (note === undefined) return null;
    const [profile = null] = (await fetchMisskeyProfiles([note], server)).values();
    return misskeyNoteToStatus(note, profile, originFor(host));
  }
  const response = await askMastodon(server, `/api/v1/statuses/${encodeURIComponent(id)}`);
  // Mastodon and its relatives say `error`, Pixelfed `message`; Misskey, asked for Mastodon's API, an object.
  requireOwn404(response, () => {
    const said = errorBody(response);
    return typeof (said?.["error"] ?? said?.["message"]) === "string";
  });
  return readObject(readJson(response, context));
}
