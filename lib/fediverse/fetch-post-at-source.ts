import { now as clockNow } from "#lib/base/clock.ts";
import { activityToStatus, authorOf, visibilityOf } from "./activity-status.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { normaliseStatus } from "./normalise-status.ts";
import type { NormalisedAuthor, NormalisedPost, NormaliseResult } from "./normalise-status.ts";
import { notCompatible, readJson, readStatus, type Server } from "./ask-server.ts";
import { readObject, readText, type JsonObject } from "./lenient.ts";
import { decodeUri, parseWebUrl } from "./urls.ts";
import { RemoteError, type RemoteErrorKind } from "./remote-error.ts";

/**
 * - `seen`: public, with content.
 * - `gone`: 410.
 * - `missing`: the API answers 404 in JSON, and the post's address does not contradict it.
 * - `withdrawn`: no longer public.
 * - `unverifiable`: anything else.
 */
export type SourceOutcome =
  /** `instead`: the server that was asked because the post's own server answers no strangers. */
  | { kind: "seen"; post: NormalisedPost; instead?: string }
  | { kind: "gone" }
  | { kind: "missing" }
  /** `author`: the author as the own server shows it, if it was read. */
  | { kind: "withdrawn"; visibility: string; author?: NormalisedAuthor }
  | {
      kind: "unverifiable";
      reason: string;
      retry_at: Date | null;
      failure?: RemoteErrorKind;
      author?: NormalisedAuthor;
    };

export interface SourceCheckOptions extends Server {
  uri: string;
  url: string | null;
  /** Whether the uri was derived from the url, so that its server may answer with another uri of its own. */
  is_derived?: boolean;
  /** Id at the post's own server, if a sighting showed it. */
  home_id?: string | null;
  /** Id of a copy. If given, another server than the post's own is asked for its copy. */
  copy_id?: string;
  /** Names the author by the domain of the server's accounts (lib/fediverse/hosts.ts). */
  nameAuthor?: (result: NormaliseResult) => Promise<NormaliseResult>;
  now?: () => Date;
}

/** Host of the post's own server; null when the uri is no web address. */
export function homeHost(uri: string): string | null {
  return parseWebUrl(uri)?.host ?? null;
}

/** Asks the post's own server about it. Never throws for a fault of that server. */
export async function fetchPostAtSource(options: SourceCheckOptions): Promise<SourceOutcome> {
  const home = homeHost(options.uri);
  if (home === null) return unverifiable("The address of the post is no web address.");
  try {
    return await fetchPost({ ...options, request: withoutOtherHosts(options.request) });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (error.status === 410) return { kind: "gone" };
    const { message: reason, retry_at, kind } = error;
    return { kind: "unverifiable", reason, retry_at, failure: kind };
  }
}

async function fetchPost(options: SourceCheckOptions): Promise<SourceOutcome> {
  const { copy_id, home_id } = options;
  if (copy_id !== undefined) return fetchCopy(options, copy_id);
  const id = home_id ?? homeStatusId(options.uri, options.url);
  return id === null ? fetchObject(options) : fetchById(options, id);
}

/** A missing copy is not asked for again, and deletes nothing. */
async function fetchCopy(options: SourceCheckOptions, id: string): Promise<SourceOutcome> {
  try {
    const outcome = await judge(await readStatus(options, id), options);
    return outcome.kind === "seen" ? { ...outcome, instead: options.host } : outcome;
  } catch (error) {
    if (error instanceof RemoteError && error.kind === "not_found") return { kind: "missing" };
    throw error;
  }
}

/** Refuses answers after a redirect to another host, because they are that host's answers. */
function withoutOtherHosts(request: HostRequest): HostRequest {
  return async (url, options) => {
    const response = await request(url, options);
    const { host } = new URL(url);
    if (URL.parse(response.url)?.host === host) return response;
    throw notCompatible(host, "redirects to another server");
  };
}

/** Software whose addresses contain the id of the API. */
const HAS_ID_IN_URI = new Set(["mastodon", "hometown", "gotosocial"]);

/**
 * Asks the API. A 404 counts only if the post is missing at its address, too: another server may have invented the `url` with
 * the id, software without this API has similar paths, and a broken server answers 404 to everything.
 */
async function fetchById(options: SourceCheckOptions, id: string): Promise<SourceOutcome> {
  const isIdOfPost = options.home_id != null || homeStatusId(options.uri, null) === id;
  let isMissing = false;
  try {
    const status = await readStatus(options, id);
    if (isIdOfPost || status?.["uri"] === options.uri) return await judge(status, options);
  } catch (error) {
    if (!(error instanceof RemoteError) || (error.status !== 404 && error.status !== 410)) throw error;
    if (error.status === 410 && isIdOfPost) throw error;
    isMissing = error.kind === "not_found";
  }
  try {
    return await fetchObject(options);
  } catch (error) {
    if (!isMissing || !(error instanceof RemoteError)) throw error;
    if (error.status === 404) return { kind: "missing" };
    if (error.kind !== "needs_token") throw error;
    const isKnown = options.home_id != null || HAS_ID_IN_URI.has(options.software.name ?? "");
    if (isIdOfPost && isKnown) return { kind: "missing" };
    // The API answered, so no other server is asked for a copy.
    return unverifiable(error.message);
  }
}

/** Paths of addresses that contain the id of the API. */
const ID_IN_PATH = [
  /^\/users\/[^/]+\/statuses\/([^/]+)$/, // Mastodon, GoToSocial
  /^\/ap\/users\/[^/]+\/statuses\/([^/]+)$/, // Mastodon since 4.5
  /^\/@[^/]+\/(?:statuses\/)?([^/]+)$/, // Mastodon, GoToSocial: page
  /^\/notice\/([^/]+)$/, // Pleroma, Akkoma: page
  /^\/notes\/([^/]+)$/, // Misskey and its forks
  /^\/p\/[^/]+\/([^/]+)$/, // Pixelfed
];

/** Id of a post at its own server, read from its addresses; null when no known form matches. */
export function homeStatusId(uri: string, url: string | null): string | null {
  const home = homeHost(uri);
  for (const address of [uri, url]) {
    const parsed = address === null ? null : parseWebUrl(address);
    if (parsed === null || parsed.host !== home) continue;
    const path = parsed.pathname.replace(/\/$/, "");
    for (const pattern of ID_IN_PATH) {
      const id = pattern.exec(path)?.[1];
      if (id !== undefined) return decodeUri(id);
    }
  }
  return null;
}

/** Whether it is the media type of ActivityPub (section 3.2). Required, because a file of a user can be JSON, too. */
export function isActivityType(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  if (/^application\/activity\+json$/i.test(type)) return true;
  const profile = parameters.map((part) => /^profile\s*=\s*"?([^"]*)"?$/i.exec(part)?.[1] ?? "").join(" ");
  return /^application\/ld\+json$/i.test(type) && profile.split(/\s+/).includes(ACTIVITY_STREAMS);
}

const ACTIVITY_STREAMS = "https://www.w3.org/ns/activitystreams";
const ACTIVITY = `application/activity+json, application/ld+json; profile="${ACTIVITY_STREAMS}"`;

function isPost(uri: unknown, { uri: asked, is_derived = false, copy_id }: SourceCheckOptions): boolean {
  if (uri === asked) return true;
  return is_derived && copy_id === undefined && typeof uri === "string" && homeHost(uri) === homeHost(asked);
}

export const unverifiable = (reason: string, author?: NormalisedAuthor): SourceOutcome => ({
  kind: "unverifiable",
  reason,
  retry_at: null,
  ...(author && { author }),
});

async function judge(status: JsonObject | null, options: SourceCheckOptions): Promise<SourceOutcome> {
  const { host, token, nameAuthor, now = clockNow } = options;
  if (status === null || !isPost(status["uri"], options))
    return unverifiable(`${host} answered with another post.`);
  const read = normaliseStatus(status, { host, now: now(), with_token: Boolean(token) });
  const result = nameAuthor === undefined ? read : await nameAuthor(read);
  if (result.ok) return { kind: "seen", post: result.post };
  const { author, reason } = result;
  if (reason === "not_public")
    return { kind: "withdrawn", visibility: readText(status["visibility"], 50), ...(author && { author }) };
  return unverifiable(`${host} answered with a post that cannot be read (${reason}).`, author);
}

/** Reads a post without an API id: the ActivityPub objects of the post and its author. */
async function fetchObject(options: SourceCheckOptions): Promise<SourceOutcome> {
  const { host } = options;
  const read = async (id: string) => {
    const response = await options.request(id, { accept: ACTIVITY });
    const json = readJson(response, { host, subject: "this post" });
    if (isActivityType(response.headers["content-type"] ?? "")) return readObject(json);
    throw notCompatible(host, "answered with something that is no ActivityPub object");
  };
  const object = await read(options.uri);
  if (object === null || !isPost(object["id"], options))
    return unverifiable(`${host} answered with another post.`);
  if (object["type"] === "Tombstone") return { kind: "gone" };
  const visibility = visibilityOf(object);
  if (visibility !== "public") return { kind: "withdrawn", visibility };
  const author = authorOf(object);
  if (author === null || homeHost(author) !== homeHost(options.uri))
    return unverifiable(`${host} does not name the author.`);
  const actor = await read(author);
  if (actor === null || actor["id"] !== author) return unverifiable(`${host} answered with another author.`);
  return judge(activityToStatus(object, actor), options);
}
