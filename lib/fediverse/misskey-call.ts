import type { GuardedResponse, HostRequest } from "./guarded-fetch.ts";
import { readObject, readObjects, type JsonObject } from "./lenient.ts";
import { type MisskeyNote, MisskeyProfile } from "./misskey-note.ts";
import { type AnswerContext, parseBody, readJson } from "./read-answer.ts";
import { RemoteError } from "./remote-error.ts";

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
 * @throws RemoteError
 */
export async function misskeyCall(endpoint: string, body: JsonObject, call: MisskeyCall): Promise<unknown> {
  return readMisskeyJson(await misskeyRequest(endpoint, body, call), call.context);
}

/** @throws RemoteError without a response */
export function misskeyRequest(
  endpoint: string,
  body: JsonObject,
  call: MisskeyCall,
): Promise<GuardedResponse> {
  return call.request(`${call.origin}/api/${endpoint}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
    },
    ...(call.signal ? { signal: call.signal } : {}),
    ...(call.allowedOrigins ? { allowedOrigins: call.allowedOrigins } : {}),
  });
}

/** @throws RemoteError when the status is not 2xx */
export function readMisskeyJson(response: GuardedResponse, context: AnswerContext): unknown {
  return readJson({ ...response, status: meantStatus(response) }, context);
}

/** Misskey returns 400 with a code for most errors. */
function meantStatus(response: GuardedResponse): number {
  return response.status === 400 ? (MEANT.get(errorCode(response)) ?? 400) : response.status;
}

/** Of a failed call; null without one. */
export function errorCode(response: GuardedResponse): unknown {
  try {
    return readObject(readObject(parseBody(response))?.["error"])?.["code"] ?? null;
  } catch {
    return null;
  }
}

const MEANT = new Map<unknown, number>([
  ["NO_SUCH_NOTE", 404],
  ["SIGNIN_REQUIRED", 401],
  ["CREDENTIAL_REQUIRED", 401],
]);

/** By user id; empty when the server refuses (`profile_seen: false`). */
export type MisskeyProfiles = Map<string, MisskeyProfile>;

export async function fetchMisskeyProfiles(
  notes: readonly MisskeyNote[],
  call: MisskeyCall,
): Promise<MisskeyProfiles> {
  const profiles: MisskeyProfiles = new Map();
  const userIds = [...new Set(notes.flatMap((note) => note.user?.id ?? []))];
  if (userIds.length === 0) return profiles;
  try {
    for (const item of readObjects(await misskeyCall("users/show", { userIds }, call), 500)) {
      const profile = MisskeyProfile.parse(item);
      // The short form has no bio and is not a profile.
      if (profile.id !== null && "description" in item) profiles.set(profile.id, profile);
    }
  } catch (error) {
    const lasting = ["not_found", "needs_token", "token_refused", "unexpected", "not_compatible"];
    if (!(error instanceof RemoteError) || !lasting.includes(error.kind)) throw error;
  }
  return profiles;
}
