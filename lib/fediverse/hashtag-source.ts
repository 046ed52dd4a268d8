import { now } from "#lib/base/clock.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import {
  askMastodon,
  askMisskey,
  fetchMisskeyProfiles,
  notCompatible,
  readJson,
  readMisskeyJson,
  type Server,
} from "./ask-server.ts";
import { pageBudget } from "./budget.ts";
import { originFor } from "./guarded-fetch.ts";
import { list, readId, readObject } from "./lenient.ts";
import { MAX_NOTE_LENGTH } from "./mfm-to-html.ts";
import { MisskeyNote, misskeyNoteToStatus } from "./misskey-note.ts";
import { normaliseStatus, type NormaliseResult } from "./normalise-status.ts";
import { MAX_MARKUP } from "./sanitise-content.ts";

export interface TimelinePage {
  /** Entries with dropped ones, newest first. */
  posts: NormaliseResult[];
  /** Opaque position of the next page; null at the end. */
  older: string | null;
  /** Null on an empty page. */
  newer: string | null;
}

/**
 * Reads a page of the timeline of one hashtag on one host.
 *
 * @param olderThan null for the newest page
 * @throws RemoteError
 */
export type HashtagSource = (olderThan: string | null) => Promise<TimelinePage>;

/** @param hashtag without `#` */
export function hashtagSource(server: Server, hashtag: string): HashtagSource {
  return server.software.family === "misskey"
    ? misskeySource(server, hashtag)
    : mastodonSource(server, hashtag);
}

/** Mastodon's maximum; other software accepts or lowers it. */
const PAGE_SIZE = 40;
/** Empty pages above the newest post. */
const MAX_EMPTY = 5;

/** `GET /api/v1/timelines/tag/:hashtag`; docs/fediverse.md#server-kinds. */
function mastodonSource(server: Server, hashtag: string): HashtagSource {
  const { host, software, token } = server;
  /** Ids of earlier pages, to detect a server that ignores the cursor or whose pages form a loop. */
  const seenIds = new Set<string>();
  const seenLinks = new Set<string>();

  const fetchPage = async (olderThan: string | null): Promise<TimelinePage> => {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    // Pixelfed's default hides posts without media.
    if (software.name === "pixelfed") query.set("only_media", "0");
    if (olderThan !== null) query.set("max_id", olderThan);
    const path = `/api/v1/timelines/tag/${encodeURIComponent(hashtag)}?${query.toString()}`;
    const response = await askMastodon(server, path);
    const answer = requireList(readJson(response, contextOf(server, hashtag)), host, response.status).slice(
      0,
      200,
    );
    const ids = answer.flatMap((status) => readId(readObject(status)?.["id"]) ?? []);
    const links = readLinks(response.headers["link"]);
    const older = links === null ? (ids.at(-1) ?? null) : links.older;
    const isNew = ids.length === 0 ? !seenLinks.has(older ?? "") : ids.some((id) => !seenIds.has(id));
    for (const id of ids) seenIds.add(id);
    if (older !== null) seenLinks.add(older);
    const reading = { host, now: now(), with_token: Boolean(token), budget: pageBudget(MAX_MARKUP) };
    return {
      posts: await mapInSlices(answer, (status) => normaliseStatus(status, reading)),
      older: isNew && olderThan !== older ? older : null,
      newer: ids.length === 0 ? null : (links?.newer ?? ids[0] ?? null),
    };
  };

  return async (olderThan) => {
    let page = await fetchPage(olderThan);
    // Some servers filter a page after reading it, so a page may be empty before the end.
    for (
      let n = 0;
      olderThan === null && page.posts.length === 0 && page.older !== null && n < MAX_EMPTY;
      n++
    )
      page = await fetchPage(page.older);
    return page;
  };
}

const contextOf = (server: Server, hashtag: string) => ({ ...server, subject: `the hashtag #${hashtag}` });

function requireList(answer: unknown, host: string, status: number): unknown[] {
  if (Array.isArray(answer)) return answer;
  throw notCompatible(host, "answered with something that is no timeline", { status });
}

interface PageLinks {
  older: string | null;
  newer: string | null;
}

/**
 * Reads the positions in a `Link` header. Its addresses are never followed.
 *
 * @returns null unless it names pages by positions; `older` null without a next page
 */
export function readLinks(header = ""): PageLinks | null {
  const links: PageLinks = { older: null, newer: null };
  for (const [, address = "", parameters = ""] of header.matchAll(/<([^<>]{1,4096})>([^<]*)/g)) {
    const rel = /\brel\s*=\s*"?([^",;]+)"?/i.exec(parameters)?.[1] ?? "";
    const query = URL.canParse(address, "https://link.invalid")
      ? new URL(address, "https://link.invalid").searchParams
      : null;
    const words = rel.toLowerCase().split(/\s+/);
    if (words.includes("next")) {
      links.older = readId(query?.get("max_id"));
      if (links.older === null) return null;
    }
    if (words.includes("prev")) links.newer = readId(query?.get("min_id") ?? query?.get("since_id"));
  }
  return links.older === null && links.newer === null ? null : links;
}

/** Notes of a page; Misskey's maximum is 100. */
const NOTES = 50;

/** `POST /api/notes/search-by-tag`, then the authors' profiles, which consent needs. */
function misskeySource(server: Server, hashtag: string): HashtagSource {
  const { host, token } = server;
  const seenIds = new Set<string>();
  return async (olderThan) => {
    const position = olderThan === null ? {} : { untilId: olderThan };
    const response = await askMisskey(server, "notes/search-by-tag", {
      tag: hashtag,
      limit: NOTES,
      ...position,
    });
    const answer = requireList(readMisskeyJson(response, contextOf(server, hashtag)), host, response.status);
    const notes = list(MisskeyNote, 200).parse(answer);
    const profiles = await fetchMisskeyProfiles(notes, server);
    const reading = { host, now: now(), with_token: Boolean(token), budget: pageBudget(MAX_MARKUP) };
    const rendering = pageBudget(MAX_NOTE_LENGTH);
    const posts = await mapInSlices(notes, (note) => {
      const profile = profiles.get(note.user?.id ?? "") ?? null;
      return normaliseStatus(misskeyNoteToStatus(note, profile, originFor(host), rendering), reading);
    });
    const ids = notes.flatMap((note) => note.id ?? []);
    const isNew = ids.some((id) => !seenIds.has(id));
    for (const id of ids) seenIds.add(id);
    return { posts, older: isNew ? (ids.at(-1) ?? null) : null, newer: ids[0] ?? null };
  };
}
