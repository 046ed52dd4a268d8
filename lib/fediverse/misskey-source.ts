import { now as clockNow } from "#lib/base/clock.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { originFor } from "./guarded-fetch.ts";
import type { HashtagSource, PageCursor, SourceOptions, TimelinePage } from "./timeline.ts";
import { mfmPageBudget } from "./mfm-to-html.ts";
import { MisskeyNote, misskeyNoteToStatus } from "./misskey-note.ts";
import { fetchMisskeyProfiles, misskeyRequest, readMisskeyJson } from "./misskey-call.ts";
import { normaliseStatus, pageBudget } from "./normalise-status.ts";
import { readRateHeaders } from "./rate-headers.ts";
import { list } from "./lenient.ts";
import { RemoteError } from "./remote-error.ts";

/** Misskey's maximum is 100. */
const PAGE_SIZE = 50;

/** `POST /api/notes/search-by-tag`, then the authors' profiles, which consent needs. */
export function misskeySource(options: SourceOptions): HashtagSource {
  const { host, hashtag, software, token, now = clockNow, allowedOrigins } = options;
  const origin = originFor(host, allowedOrigins);
  const context = { host, subject: `the hashtag #${hashtag}`, withToken: Boolean(token) };
  const seenIds = new Set<string>();

  async function fetchPage(cursor: PageCursor, signal?: AbortSignal): Promise<TimelinePage> {
    const call = { ...options, origin, context, ...(signal ? { signal } : {}) };
    const position = cursor === null ? {} : { untilId: cursor.older_than };
    const response = await misskeyRequest(
      "notes/search-by-tag",
      { tag: hashtag, limit: PAGE_SIZE, ...position },
      call,
    );
    const rate = readRateHeaders(response.headers, now().getTime());
    const json = readMisskeyJson(response, context);
    if (!Array.isArray(json)) {
      throw new RemoteError("not_compatible", `${host} answered with something that is no timeline.`, {
        status: response.status,
      });
    }
    const notes = list(MisskeyNote, 200).parse(json);
    const profiles = await fetchMisskeyProfiles(notes, call);
    const reading = { host, now: now(), with_token: Boolean(token), budget: pageBudget() };
    const rendering = mfmPageBudget();
    const posts = await mapInSlices(notes, (note) => {
      const profile = profiles.get(note.user?.id ?? "") ?? null;
      const status = misskeyNoteToStatus(note, profile, origin, rendering);
      return normaliseStatus(status, reading);
    });
    return { posts, ...positionsOf(notes.flatMap((note) => note.id ?? [])), rate };
  }

  function positionsOf(ids: readonly string[]): Pick<TimelinePage, "older" | "newer"> {
    const isNew = ids.some((id) => !seenIds.has(id));
    for (const id of ids) seenIds.add(id);
    return { older: isNew ? (ids.at(-1) ?? null) : null, newer: ids[0] ?? null };
  }

  return { software, fetchPage };
}
