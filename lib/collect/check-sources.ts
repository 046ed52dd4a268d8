import { now } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError, isDatabaseAway, isLockConflict } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import {
  fetchPostAtSource,
  homeHost,
  unverifiable,
  type SourceCheckOptions,
  type SourceOutcome,
} from "#lib/fediverse/fetch-post-at-source.ts";
import { governedRequest } from "#lib/fediverse/governed-request.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { authorNamer, knownServer } from "#lib/fediverse/hosts.ts";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { askWebFinger, sameAccount } from "#lib/fediverse/webfinger.ts";
import { confirmOptOut } from "./opt-outs.ts";
import { applySourceCheck } from "./apply-source-check.ts";
import { readPostTexts } from "./post-row.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";

const BATCH = 40;
const HOSTS_AT_ONCE = 8;
/** Longest wait for a host's governor. */
const MAX_WAIT_MS = 5_000;
/** Pause after the requests to a host failed. */
const RETRY_AFTER_MS = 30_000;
/** Failures of the whole server, not of one post. */
const HOST_FAILURES = new Set(["timeout", "unreachable", "server_error", "rate_limited"]);

/**
 * Checks due posts at their own servers. Edited posts return to review, deleted posts are rejected, unreadable posts are held.
 * Each host gets one request at a time.
 *
 * @returns the number of checked posts
 */
export async function checkSources(limits: {
  deadline: Date;
  signal?: AbortSignal | undefined;
}): Promise<{ checked: number }> {
  const hosts = [...Map.groupBy(await claimSources(BATCH), (row) => row.uri_host).values()];
  const timeout = AbortSignal.timeout(Math.max(1, limits.deadline.getTime() - now().getTime()));
  const signal = limits.signal ? AbortSignal.any([timeout, limits.signal]) : timeout;
  let checked = 0;
  const work = async () => {
    for (let host = hosts.shift(); host !== undefined; host = hosts.shift()) {
      for (const row of host) {
        const { outcome, unasked } = await ask(row, signal);
        if (unasked === null) {
          await apply(row, outcome);
          checked++;
        }
        // The host's other posts wait too.
        const isAway = outcome.kind === "unverifiable" && HOST_FAILURES.has(outcome.failure ?? "");
        const waitUntil = unasked ?? (isAway ? new Date(now().getTime() + RETRY_AFTER_MS) : null);
        if (waitUntil === null) continue;
        await putOffHost(row.uri_host, waitUntil);
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work));
  return { checked };
}

async function apply(row: SourceRow, outcome: SourceOutcome): Promise<void> {
  if (outcome.kind === "seen") await readPostTexts([outcome.post]);
  try {
    const optedOut = await inTransaction((tx) => applySourceCheck(tx, row.uri, outcome));
    for (const author of optedOut) await confirmOptOut(author);
  } catch (error) {
    const isPassing = error instanceof ApiError || isDatabaseAway(error) || isLockConflict(error);
    if (outcome.kind !== "seen" || isPassing) throw error;
    log.warn({ err: error, post: row.id }, "source check not stored: database rejected row");
    await apply(row, unverifiable("The database refuses this version."));
  }
}

/** @returns `unasked`: time of the next request, if the governor or the deadline forbade this one */
async function ask(
  row: SourceRow,
  signal: AbortSignal,
): Promise<{ outcome: SourceOutcome; unasked: Date | null }> {
  let unasked: Date | null = null;
  const governed = governedRequest({ maxWaitMs: MAX_WAIT_MS, signal });
  const request: HostRequest = async (url, options) => {
    try {
      return await governed(url, options);
    } catch (error) {
      if (error instanceof RemoteError && (error.kind === "wait" || error.kind === "aborted"))
        unasked ??= error.retry_at ?? now();
      throw error;
    }
  };
  const home = homeHost(row.uri);
  const isHome = ({ host }: { host: string }) => host === home;
  const home_id = row.seen.find(isHome)?.id ?? null;
  if (home === null) return { outcome: unverifiable("The address of the post is no web address."), unasked };
  let outcome = await fetchFrom(home, { ...row, home_id }, request);
  if (outcome.kind === "missing" && !(await isServing(home, row, request)))
    outcome = unverifiable(`${home} shows no other post either.`);
  // If the post's own server answers only with a token, the servers that showed the post are asked, because edits and
  // deletions reach them. Their copies may confirm the post, but neither change nor delete it.
  if (outcome.kind === "unverifiable" && outcome.failure === "needs_token" && unasked === null) {
    for (const copy of row.seen.filter((each) => !isHome(each))) {
      const shown = await fetchFrom(copy.host, { ...row, copy_id: copy.id }, request);
      if (shown.kind === "unverifiable") continue;
      if (shown.kind === "seen") outcome = shown;
      // Another copy's server may not be asked now. A deleted copy may mean a deleted post, so an older copy
      // elsewhere must not confirm it.
      unasked = null;
      break;
    }
  }
  return { outcome, unasked };
}

/** Whether the server still shows the author or another post. If not, a missing post says nothing: it has lost everything. */
async function isServing(home: string, row: SourceRow, request: HostRequest): Promise<boolean> {
  try {
    const account = { username: row.author_username, host: row.instance };
    const answer = await askWebFinger(account, request, home);
    if (answer !== null && sameAccount(answer.account, account)) return true;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
  }
  const other = await otherPostOf(home, row.id);
  return other !== null && (await fetchFrom(home, other, request)).kind === "seen";
}

async function fetchFrom(
  host: string,
  post: Pick<SourceCheckOptions, "uri" | "url" | "is_derived" | "home_id" | "copy_id">,
  request: HostRequest,
): Promise<SourceOutcome> {
  try {
    const nameAuthor = async (read: NormaliseResult) => (await authorNamer(request)([read]))[0] ?? read;
    return await fetchPostAtSource({ ...post, ...(await knownServer(host, request)), nameAuthor });
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return { kind: "unverifiable", reason: error.message, retry_at: error.retry_at, failure: error.kind };
  }
}

interface SourceRow {
  id: number;
  uri: string;
  url: string | null;
  uri_host: string;
  author_username: string;
  /** Host of the author's account. */
  instance: string;
  /** Whether the uri was derived from the url, so that its server may name another one. */
  is_derived: boolean;
  /** Servers that showed the post, latest first, with its id there. */
  seen: { host: string; id: string }[];
}

/** Most checks of one host in a batch, so that no host delays the others. */
const MAX_PER_HOST = 5;
/** Number of due checks from which a batch is chosen. */
const WINDOW = 500;

/**
 * Claims due checks for five minutes. Concurrent calls get different posts. Checks of reserved posts are postponed, because
 * these cannot be changed.
 */
export async function claimSources(limit: number): Promise<SourceRow[]> {
  const claimed = await db.$queryRaw<{ post_id: number; checkable: boolean }[]>`
    WITH due AS MATERIALIZED (
      SELECT post_id, host, due_at FROM source_check WHERE due_at <= now() ORDER BY due_at LIMIT ${WINDOW}
    ), fair AS (
      SELECT post_id FROM (
        SELECT post_id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, post_id) AS place FROM due) d
       WHERE place <= ${MAX_PER_HOST} ORDER BY place, due_at, post_id LIMIT ${limit}
    ), free AS (
      -- due_at is compared again under the lock: another process may have claimed the row since.
      SELECT c.post_id, coalesce(q.state, 'pending') = 'pending' AS checkable
        FROM source_check c JOIN fair USING (post_id) LEFT JOIN queue_entry q ON q.post_id = c.post_id
       WHERE c.due_at <= now() FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE source_check c SET due_at = now() + CASE WHEN f.checkable THEN 5 ELSE 10 END * interval '1 minute'
      FROM free f WHERE c.post_id = f.post_id
    RETURNING c.post_id, f.checkable`;
  const ids = claimed.filter(({ checkable }) => checkable).map(({ post_id }) => post_id);
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<(Omit<SourceRow, "seen"> & { seen: SourceRow["seen"] | null })[]>`
    SELECT p.id, p.uri, p.url, uri_host(p.uri) AS uri_host, p.author_username, p.instance, sightings.seen, p.uri_derived AS is_derived
      FROM post p LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object('host', g.instance, 'id', g.remote_id)) AS seen FROM (
          SELECT s.instance, g.remote_id FROM sighting g JOIN stream s ON s.id = g.stream_id
           WHERE g.post_id = p.id AND g.remote_id IS NOT NULL
           ORDER BY s.instance = uri_host(p.uri) DESC, g.seen_at DESC LIMIT 4) g) sightings ON true
     WHERE p.id = ANY (${ids}::int[]) ORDER BY p.id`;
  return rows.map((row) => ({ ...row, seen: row.seen ?? [] }));
}

/** Postpones all due and claimed checks of a host that may not be asked before `until`. */
async function putOffHost(host: string, until: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE source_check SET due_at = greatest(${until}::timestamptz, now() + interval '1 second')
     WHERE post_id IN (SELECT post_id FROM source_check
                        WHERE host = ${host} AND due_at < greatest(${until}::timestamptz, now() + interval '5 minutes')
                          FOR UPDATE SKIP LOCKED)`;
}

/** Another post of the host than `id`: the one that the host confirmed last. */
async function otherPostOf(host: string, id: number): Promise<{ uri: string; url: string | null } | null> {
  const rows = await db.$queryRaw<{ uri: string; url: string | null }[]>`
    SELECT uri, url FROM post
     WHERE uri_host(uri) = ${host} AND id <> ${id} AND erased_at IS NULL AND source_missing_at IS NULL
     ORDER BY confirmed_at DESC NULLS LAST, id DESC LIMIT 1`;
  return rows[0] ?? null;
}
