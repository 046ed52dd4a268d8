import { now } from "#lib/base/clock.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
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
import { readPostTexts } from "./post-texts.ts";
import { anyCheckDue, claimSources, otherPostOf, putOffHost, type SourceRow } from "./claims-sql.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";

const BATCH = 40;
const HOSTS_AT_ONCE = 8;
/** Wait for a host's governor, in milliseconds. */
const MAX_WAIT_MS = 5_000;
/** A host whose requests failed is asked again after this time. */
const RETRY_AFTER_MS = 30_000;
/** Failures of a server, not of one post. */
const OF_THE_HOST = new Set(["timeout", "unreachable", "server_error", "rate_limited"]);

/**
 * Edited posts return to review, deleted ones are rejected, unreadable ones are held. One request at a time
 * to a host.
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
        const { asked, wait_until } = await checkSource(row, signal);
        if (asked) checked++;
        if (wait_until === null) continue;
        await putOffHost(row.uri_host, wait_until);
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work));
  return { checked };
}

export function isAnyCheckDue(): Promise<boolean> {
  return anyCheckDue();
}

interface Checked {
  /** False when the governor or the deadline forbade the request. */
  asked: boolean;
  /** The host's other posts wait too. */
  wait_until: Date | null;
}

async function checkSource(row: SourceRow, signal: AbortSignal): Promise<Checked> {
  const { outcome, unasked } = await ask(row, signal);
  if (unasked !== null) return { asked: false, wait_until: unasked };
  if (outcome.kind === "seen") await readPostTexts([outcome.post]);
  const result = await inTransaction((tx) => applySourceCheck(tx, row.uri, outcome));
  if (result.to_classify.length > 0) await classifyPosts(result.to_classify);
  for (const author of result.opted_out) await confirmOptOut(author);
  const isHostAway = outcome.kind === "unverifiable" && OF_THE_HOST.has(outcome.failure ?? "");
  return { asked: true, wait_until: isHostAway ? new Date(now().getTime() + RETRY_AFTER_MS) : null };
}

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
  let outcome = await fetchFrom(home, { ...addressOf(row), home_id }, request);
  if (outcome.kind === "missing" && !(await isWell(home, row, request)))
    outcome = unverifiable(`${home} shows no other post either.`);
  if (mayAskCopies(outcome) && unasked === null) {
    for (const copy of row.seen.filter((each) => !isHome(each))) {
      const shown = await fetchFrom(copy.host, { ...addressOf(row), copy_id: copy.id }, request);
      if (shown.kind === "seen") outcome = shown;
      // Where a copy was deleted, the post may be too: an older copy elsewhere must not confirm it.
      if (shown.kind !== "unverifiable" || unasked !== null) break;
    }
  }
  return { outcome, unasked };
}

const addressOf = ({ uri, url, is_derived }: SourceRow) => ({ uri, url, is_derived });

/** A server that lost or hides everything has deleted nothing: it must show the author's account, or another post. */
async function isWell(home: string, row: SourceRow, request: HostRequest): Promise<boolean> {
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

/**
 * Where a server answers no strangers, the servers that showed the post are asked: edits and deletions reach them. Their
 * copies may confirm or change the post, but not delete it.
 */
function mayAskCopies(outcome: SourceOutcome): boolean {
  return outcome.kind === "unverifiable" && outcome.failure === "needs_token";
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
