import type { DetectedSoftware } from "./detect-software.ts";
import { originFor } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { fetchMisskeyProfiles, misskeyCall, type MisskeyCall } from "./misskey-call.ts";
import { misskeyNoteToStatus } from "./misskey-note.ts";
import { readObject } from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { readJson } from "./source-failure.ts";

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
 * @throws SourceFailure (`not_found` also for Misskey's NO_SUCH_NOTE), FetchFailure, HostWait
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
  return readObject(readJson(response, context));
}

async function readNote(id: string, call: MisskeyCall, origin: string): Promise<JsonObject | null> {
  const note = readObject(await misskeyCall("notes/show", { noteId: id }, call));
  if (note === null) return null;
  const [profile = null] = (await fetchMisskeyProfiles([note], call)).values();
  return misskeyNoteToStatus(note, profile, origin);
}
