import { now as clockNow } from "#lib/clock.ts";
import { mapInSlices } from "#lib/event-loop.ts";
import { readCutList } from "./cut-list.ts";
import { MAX_JSON_BYTES, originFor } from "./guarded-fetch.ts";
import type { HashtagSource, PageCursor, SourceOptions, TimelinePage } from "./timeline.ts";
import { mfmPageBudget } from "./mfm-to-html.ts";
import { homeOrigin, misskeyNoteToStatus } from "./misskey-note.ts";
import { authorIdOf, fetchMisskeyProfiles, misskeyRequest, readMisskeyJson } from "./misskey-call.ts";
import { normaliseStatus, pageBudget, skippedPost } from "./normalise-status.ts";
import { pageReader } from "./page-size.ts";
import { readRateHeaders } from "./rate-headers.ts";
import { tooLarge } from "./read-body.ts";
import { readId, readObjects } from "./read-value.ts";
import { isCutPage, SourceFailure, toSourceFailure } from "./source-failure.ts";

/** Misskey's maximum of 100 can exceed the byte cap. */
const PAGE_SIZE = 50;

/** `POST /api/notes/search-by-tag`, then the authors' profiles, which consent needs. */
export function misskeySource(options: SourceOptions): HashtagSource {
  const { host, hashtag, software, token, now = clockNow, allowedOrigins } = options;
  const { domain = host, home = host } = options;
  const origin = originFor(host, allowedOrigins);
  const context = { host, subject: `the hashtag #${hashtag}`, withToken: Boolean(token) };
  const seenIds = new Set<string>();

  const readPages = pageReader(PAGE_SIZE);

  async function fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage> {
    try {
      return await readPages((size) => ask(cursor, size, signal));
    } catch (error) {
      throw toSourceFailure(error);
    }
  }

  async function ask(cursor: PageCursor, size: number, signal?: AbortSignal): Promise<TimelinePage> {
    const call = { ...options, origin, context, ...(signal ? { signal } : {}) };
    const position =
      cursor === null
        ? {}
        : "older_than" in cursor
          ? { untilId: cursor.older_than }
          : { sinceId: cursor.newer_than };
    const response = await misskeyRequest(
      "notes/search-by-tag",
      { tag: hashtag, limit: size, ...position },
      { ...call, cutBody: size === 1 },
    );
    const rate = readRateHeaders(response.headers, now().getTime());
    if (isCutPage(response)) {
      // Misskey honours `limit`.
      const { rest } = readCutList(response.body);
      const id = readId(rest?.["id"]);
      if (id === null) throw tooLarge(host, MAX_JSON_BYTES);
      return { posts: [skippedPost(rest?.["uri"], id, { host, home })], ...positionsOf([id]), rate };
    }
    const json = readMisskeyJson(response, context);
    if (!Array.isArray(json)) {
      throw new SourceFailure("not_compatible", `${host} answered with something that is no timeline.`, {
        status: response.status,
      });
    }
    const notes = readObjects(json, 200);
    // With `sinceId` Misskey returns oldest first.
    if (cursor !== null && "newer_than" in cursor) notes.reverse();
    const profiles = await fetchMisskeyProfiles(notes, call);
    const reading = { host, domain, home, now: now(), with_token: Boolean(token), budget: pageBudget() };
    const rendering = mfmPageBudget();
    const posts = await mapInSlices(notes, (note) => {
      const profile = profiles.get(authorIdOf(note) ?? "") ?? null;
      const isUnread = profile === "too_large";
      const status = misskeyNoteToStatus(
        note,
        isUnread ? null : profile,
        homeOrigin(host, options),
        rendering,
      );
      const result = normaliseStatus(status, reading);
      const post = result.ok ? result.post : result.unproven;
      // Without the profile the author's consent is not known.
      return isUnread && post ? skippedPost(post.uri, post.remote_id, reading) : result;
    });
    return { posts, ...positionsOf(notes.flatMap((note) => readId(note["id"]) ?? [])), rate };
  }

  function positionsOf(ids: readonly string[]): Pick<TimelinePage, "older" | "newer"> {
    const isNew = ids.some((id) => !seenIds.has(id));
    for (const id of ids) seenIds.add(id);
    return { older: isNew ? (ids.at(-1) ?? null) : null, newer: ids[0] ?? null };
  }

  return { software, pages_forward: true, fetchPage };
}
