import type { DetectedSoftware } from "./detect-software.ts";
import { originFor } from "./guarded-fetch.ts";
import type { GuardedResponse, HostRequest } from "./guarded-fetch.ts";
import {
  errorCode,
  fetchMisskeyProfiles,
  misskeyRequest,
  readMisskeyJson,
  type MisskeyCall,
} from "./misskey-call.ts";
import { MisskeyNote, misskeyNoteToStatus } from "./misskey-note.ts";
import { readObject } from "./lenient.ts";
import type { JsonObject } from "./lenient.ts";
import { parseBody, readJson } from "./read-answer.ts";
import { RemoteError } from "./remote-error.ts";

export interface ReadStatusOptions {
  /** Host in the addresses of its posts; default: the asked host. */
  home?: string;
  software: DetectedSoftware;
  token?: string | null;
  request: HostRequest;
  signal?: AbortSignal;
  allowedOrigins?: readonly string[];
}

/**
 * In Mastodon's shape; null when the response is not an object.
 *
 * @throws RemoteError; `not_found` also for Misskey's NO_SUCH_NOTE
 */
export async function readStatus(
  host: string,
  id: string,
  options: ReadStatusOptions,
): Promise<JsonObject | null> {
  const { software, token, request, signal, allowedOrigins } = options;
  const origin = originFor(host, allowedOrigins);
  const context = { host, subject: "this post", withToken: Boolean(token) };
  if (software.family === "misskey") return readNote(id, { ...options, origin, context }, origin);
  const response = await request(`${origin}/api/v1/statuses/${encodeURIComponent(id)}`, {
    ...(signal ? { signal } : {}),
    ...(allowedOrigins ? { allowedOrigins } : {}),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  if (response.status === 404 && !saysNotFound(response)) throw notOwn(host);
  return readObject(readJson(response, context));
}

/**
 * Mastodon and its relatives say `error`, Pixelfed `message`. A proxy or a maintenance page answers every path with
 * 404, and Misskey that is asked for Mastodon's API with an object.
 */
function saysNotFound(response: GuardedResponse): boolean {
  try {
    const answer = readObject(parseBody(response));
    return typeof (answer?.["error"] ?? answer?.["message"]) === "string";
  } catch {
    return false;
  }
}

const notOwn = (host: string) =>
  new RemoteError("not_compatible", `${host} does not answer like a server of posts (404).`, {
    status: 404,
  });

async function readNote(id: string, call: MisskeyCall, origin: string): Promise<JsonObject | null> {
  const response = await misskeyRequest("notes/show", { noteId: id }, call);
  if (response.status === 404 && errorCode(response) !== "NO_SUCH_NOTE") throw notOwn(call.context.host);
  const { data: note } = MisskeyNote.safeParse(readMisskeyJson(response, call.context));
  if (note === undefined) return null;
  const [profile = null] = (await fetchMisskeyProfiles([note], call)).values();
  return misskeyNoteToStatus(note, profile, origin);
}
