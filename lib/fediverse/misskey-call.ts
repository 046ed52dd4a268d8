import type { GuardedResponse, HostRequest } from "./guarded-fetch.ts";
import { readId, readList, readObject } from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { parseBody, readJson, SourceFailure } from "./source-failure.ts";
import type { AnswerContext } from "./source-failure.ts";

export interface MisskeyCall {
  origin: string;
  context: AnswerContext;
  request: HostRequest;
  token?: string | null;
  signal?: AbortSignal;
  allowedOrigins?: readonly string[];
}

/**
 * POST with a JSON body; the token is in a header.
 *
 * @throws SourceFailure when the status is not 2xx, FetchFailure or HostWait without a response
 */
export async function misskeyCall(
  endpoint: string,
  body: JsonObject,
  call: MisskeyCall,
): Promise<{ json: unknown; response: GuardedResponse }> {
  const response = await call.request(`${call.origin}/api/${endpoint}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
    },
    ...(call.signal ? { signal: call.signal } : {}),
    ...(call.allowedOrigins ? { allowedOrigins: call.allowedOrigins } : {}),
  });
  return { json: readJson({ ...response, status: meantStatus(response) }, call.context), response };
}

/** Misskey returns 400 with a code for most errors. */
function meantStatus(response: GuardedResponse): number {
  const { status } = response;
  if (status !== 400) return status;
  try {
    const code = readObject(readObject(parseBody(response))?.["error"])?.["code"];
    return MEANT.get(code) ?? status;
  } catch {
    return status;
  }
}

const MEANT = new Map<unknown, number>([
  ["NO_SUCH_NOTE", 404],
  ["SIGNIN_REQUIRED", 401],
  ["CREDENTIAL_REQUIRED", 401],
]);

/** By user id; empty when the server refuses (`profile_seen: false`). */
export async function fetchMisskeyProfiles(
  notes: readonly JsonObject[],
  call: MisskeyCall,
): Promise<Map<string, JsonObject>> {
  const ids = new Set(notes.flatMap((note) => readId(readObject(note["user"])?.["id"]) ?? []));
  const profiles = new Map<string, JsonObject>();
  if (ids.size === 0) return profiles;
  try {
    const { json } = await misskeyCall("users/show", { userIds: [...ids] }, call);
    for (const item of readList(json, 500)) {
      const profile = readObject(item);
      const id = readId(profile?.["id"]);
      // The short form has no bio and is not a profile.
      if (profile !== null && id !== null && "description" in profile) profiles.set(id, profile);
    }
  } catch (error) {
    const lasting = ["not_found", "needs_token", "token_refused", "unexpected", "not_compatible"];
    if (!(error instanceof SourceFailure) || !lasting.includes(error.kind)) throw error;
  }
  return profiles;
}
