import { now as clockNow } from "#lib/clock.ts";
import type { DetectedSoftware } from "./detect-software.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { normaliseStatus } from "./normalise-status.ts";
import type { NormalisedPost } from "./normalised-post.ts";
import { parseWebUrl } from "./urls.ts";
import { readStatus } from "./read-status.ts";
import { readList, readObject, readText } from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { readJson, SourceFailure, toSourceFailure } from "./source-failure.ts";

/**
 * `seen`: public, with content. `present`: public, content not shown. `gone`: 410. `missing`: 404; counts as
 * gone when found again after ten minutes. `withdrawn`: no longer public. `unverifiable`: anything else.
 */
export type LookAgainOutcome =
  | { kind: "seen"; post: NormalisedPost }
  | { kind: "present" }
  | { kind: "gone" }
  | { kind: "missing" }
  | { kind: "withdrawn"; visibility: string }
  | { kind: "unverifiable"; reason: string; retry_at: Date | null };

export interface LookAgainOptions {
  uri: string;
  url: string | null;
  /** If known from a sighting. */
  home_id?: string | null;
  software: DetectedSoftware;
  token?: string | null;
  request: HostRequest;
  now?: () => Date;
  signal?: AbortSignal;
  allowedOrigins?: readonly string[];
}

/** Null when the uri is not a web address. */
export function homeHost(uri: string): string | null {
  return parseWebUrl(uri)?.host ?? null;
}

/** Never throws for a fault of that server. */
export async function lookAgain(options: LookAgainOptions): Promise<LookAgainOutcome> {
  const host = homeHost(options.uri);
  if (host === null)
    return { kind: "unverifiable", reason: "The address of the post is no web address.", retry_at: null };
  const id = options.home_id ?? homeStatusId(options.uri, options.url);
  try {
    if (id === null) return await lookAtObject(options, host);
    return judge(await readStatus(host, id, options), options, host);
  } catch (error) {
    const failure = toSourceFailure(error);
    if (!(failure instanceof SourceFailure)) throw failure;
    if (failure.status === 410) return { kind: "gone" };
    if (failure.kind === "not_found") return { kind: "missing" };
    return { kind: "unverifiable", reason: failure.message, retry_at: failure.retry_at };
  }
}

/** Paths that contain the API id. */
const ID_IN_PATH = [
  /^\/users\/[^/]+\/statuses\/([^/]+)$/, // Mastodon, GoToSocial
  /^\/ap\/users\/[^/]+\/statuses\/([^/]+)$/, // Mastodon since 4.5
  /^\/@[^/]+\/(?:statuses\/)?([^/]+)$/, // Mastodon, GoToSocial: page
  /^\/notice\/([^/]+)$/, // Pleroma, Akkoma: page
  /^\/notes\/([^/]+)$/, // Misskey and its forks
  /^\/p\/[^/]+\/([^/]+)$/, // Pixelfed
];

export function homeStatusId(uri: string, url: string | null): string | null {
  const home = homeHost(uri);
  for (const address of [uri, url]) {
    const parsed = address === null ? null : parseWebUrl(address);
    if (parsed === null || parsed.host !== home) continue;
    const path = parsed.pathname.replace(/\/$/, "");
    for (const pattern of ID_IN_PATH) {
      const id = pattern.exec(path)?.[1];
      if (id !== undefined) return decodePart(id);
    }
  }
  return null;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function requestOptions(options: LookAgainOptions) {
  return {
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.allowedOrigins ? { allowedOrigins: options.allowedOrigins } : {}),
  };
}

function contextOf(options: LookAgainOptions, host: string) {
  return { host, subject: "this post", withToken: Boolean(options.token) };
}

function judge(status: JsonObject | null, options: LookAgainOptions, host: string): LookAgainOutcome {
  const unverifiable = (reason: string): LookAgainOutcome => ({
    kind: "unverifiable",
    reason,
    retry_at: null,
  });
  if (status === null || status["uri"] !== options.uri)
    return unverifiable(`${host} answered with another post.`);
  const now = (options.now ?? clockNow)();
  const result = normaliseStatus(status, { host, now, with_token: Boolean(options.token) });
  if (result.ok) return { kind: "seen", post: result.post };
  if (result.reason === "not_public")
    return { kind: "withdrawn", visibility: readText(status["visibility"], 50) };
  return unverifiable(`${host} answered with a post that cannot be read (${result.reason}).`);
}

const PUBLIC_ADDRESSES = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

/** Without an API id: the ActivityPub object states the audience. */
async function lookAtObject(options: LookAgainOptions, host: string): Promise<LookAgainOutcome> {
  const response = await options.request(options.uri, {
    ...requestOptions(options),
    accept: 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  });
  const object = readObject(readJson(response, contextOf(options, host)));
  if (object === null || object["id"] !== options.uri) {
    return { kind: "unverifiable", reason: `${host} answered with another post.`, retry_at: null };
  }
  if (object["type"] === "Tombstone") return { kind: "gone" };
  const to = Array.isArray(object["to"]) ? readList(object["to"], 1_000) : [object["to"]];
  if (to.some((address) => typeof address === "string" && PUBLIC_ADDRESSES.has(address)))
    return { kind: "present" };
  return { kind: "withdrawn", visibility: "not addressed to the public" };
}
