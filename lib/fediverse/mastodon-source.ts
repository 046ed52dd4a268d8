import { now as clockNow } from "#lib/base/clock.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { originFor } from "./guarded-fetch.ts";
import type { HashtagSource, PageCursor, SourceOptions, TimelinePage } from "./timeline.ts";
import type { GuardedResponse } from "./guarded-fetch.ts";
import { normaliseStatus, pageBudget } from "./normalise-status.ts";
import { readRateHeaders } from "./rate-headers.ts";
import { readId, readObject } from "./lenient.ts";
import { readJson } from "./read-answer.ts";
import { RemoteError } from "./remote-error.ts";

/** Mastodon's maximum; other software accepts or lowers it. */
const PAGE_SIZE = 40;

/** Empty pages above the newest post. */
const MAX_EMPTY = 5;

/** `GET /api/v1/timelines/tag/:hashtag`; docs/fediverse.md#server-kinds. */
export function mastodonSource(options: SourceOptions): HashtagSource {
  const { host, hashtag, software, token, request, now = clockNow, allowedOrigins } = options;
  const context = { host, subject: `the hashtag #${hashtag}`, withToken: Boolean(token) };
  /** Detect a server that ignores the cursor, or whose pages form a loop. */
  const seenIds = new Set<string>();
  const seenLinks = new Set<string>();

  async function fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage> {
    let page = await ask(cursor, signal);
    // Some servers filter a page after they have read it.
    for (let n = 0; cursor === null && page.posts.length === 0 && page.older !== null && n < MAX_EMPTY; n++)
      page = await ask({ older_than: page.older }, signal);
    return page;
  }

  async function ask(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage> {
    const url = timelineUrl(originFor(host, allowedOrigins), hashtag, software.name, cursor);
    const response = await request(url, {
      ...(signal ? { signal } : {}),
      ...(allowedOrigins ? { allowedOrigins } : {}),
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    const answer = readJson(response, context);
    if (!Array.isArray(answer)) {
      throw new RemoteError("not_compatible", `${host} answered with something that is no timeline.`, {
        status: response.status,
      });
    }
    return readPage(response, answer.slice(0, 200), cursor, readLinks(response.headers["link"]));
  }

  async function readPage(
    response: GuardedResponse,
    statuses: unknown[],
    cursor: PageCursor,
    links: PageLinks | null,
  ): Promise<TimelinePage> {
    const ids = statuses.flatMap((status) => readId(readObject(status)?.["id"]) ?? []);
    const reading = { host, now: now(), with_token: Boolean(token), budget: pageBudget() };
    return {
      posts: await mapInSlices(statuses, (status) => normaliseStatus(status, reading)),
      ...positionsOf(ids, links, cursor),
      rate: readRateHeaders(response.headers, now().getTime()),
    };
  }

  function positionsOf(
    ids: readonly string[],
    links: PageLinks | null,
    cursor: PageCursor,
  ): Pick<TimelinePage, "older" | "newer"> {
    const older = links === null ? (ids.at(-1) ?? null) : links.older;
    const isNew = ids.length === 0 ? !seenLinks.has(older ?? "") : ids.some((id) => !seenIds.has(id));
    for (const id of ids) seenIds.add(id);
    if (older !== null) seenLinks.add(older);
    const moves = isNew && cursor?.older_than !== older;
    return {
      older: moves ? older : null,
      newer: ids.length === 0 ? null : (links?.newer ?? ids[0] ?? null),
    };
  }

  return { software, fetchPage };
}

function timelineUrl(origin: string, hashtag: string, software: string | null, cursor: PageCursor): string {
  const url = new URL(`/api/v1/timelines/tag/${encodeURIComponent(hashtag)}`, origin);
  url.searchParams.set("limit", String(PAGE_SIZE));
  // Pixelfed's default hides posts without media.
  if (software === "pixelfed") url.searchParams.set("only_media", "0");
  if (cursor !== null) url.searchParams.set("max_id", cursor.older_than);
  return url.href;
}

interface PageLinks {
  older: string | null;
  newer: string | null;
}

/**
 * The addresses in the header are never followed.
 *
 * @returns null unless it names pages by positions; `older` null without a next page
 */
export function readLinks(header: string | undefined): PageLinks | null {
  if (header === undefined || header.trim() === "") return null;
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
