import { classifyPosts } from "#lib/classify/classify-posts.ts";
import { now } from "#lib/clock.ts";
import { FetchFailure } from "#lib/fediverse/fetch-failure.ts";
import { governedRequest, HostWait } from "#lib/fediverse/governed-request.ts";
import type { HostRequest } from "#lib/fediverse/guarded-fetch.ts";
import { homeHost, lookAgain, type LookAgainOutcome } from "#lib/fediverse/look-again.ts";
import { SourceFailure } from "#lib/fediverse/source-failure.ts";
import { applyLook } from "#lib/ingest/apply-look.ts";
import { inTransaction } from "#lib/transaction.ts";
import { confirmOptOut } from "#lib/consent/opt-outs.ts";
import { hostSoftware, hostStates } from "#lib/hosts/host-state.ts";
import { hostToken } from "#lib/hosts/host-token.ts";
import { claimSources, putOffLook, type SourceRow } from "./sources-sql.ts";

const BATCH = 20;
const HOSTS_AT_ONCE = 4;
/** Wait for a host's governor, in milliseconds. */
const PATIENCE = 5_000;

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
  const rows = await claimSources(BATCH);
  const hosts = [...Map.groupBy(rows, (row) => homeHost(row.uri) ?? "").values()];
  const timeout = AbortSignal.timeout(Math.max(1, limits.deadline.getTime() - now().getTime()));
  const signal = limits.signal ? AbortSignal.any([timeout, limits.signal]) : timeout;
  const left: number[] = [];
  let checked = 0;
  const work = async () => {
    for (let host = hosts.shift(); host !== undefined; host = hosts.shift()) {
      for (const [index, row] of host.entries()) {
        if (await checkSource(row, signal)) {
          checked++;
          continue;
        }
        // Postpone the host's other posts too.
        left.push(...host.slice(index).map((each) => each.id));
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work));
  await putOffLook(left);
  return { checked };
}

/** False when the governor or the deadline forbade the request. */
async function checkSource(row: SourceRow, signal: AbortSignal): Promise<boolean> {
  const outcome = await look(row, signal);
  if (outcome === null) return false;
  const result = await inTransaction((tx) => applyLook(tx, row.uri, outcome));
  if (result.to_classify.length > 0) await classifyPosts(result.to_classify);
  for (const author of result.opted_out) await confirmOptOut(author);
  return true;
}

async function look(row: SourceRow, signal: AbortSignal): Promise<LookAgainOutcome | null> {
  const host = homeHost(row.uri);
  let unasked = false;
  const governed = governedRequest({ store: hostStates, patience: PATIENCE });
  const request: HostRequest = async (url, options) => {
    try {
      return await governed(url, options);
    } catch (error) {
      unasked ||= error instanceof HostWait || (error instanceof FetchFailure && error.kind === "aborted");
      throw error;
    }
  };
  const outcome = await ask(row, host, request, signal);
  return unasked ? null : outcome;
}

async function ask(
  row: SourceRow,
  host: string | null,
  request: HostRequest,
  signal: AbortSignal,
): Promise<LookAgainOutcome> {
  try {
    const software =
      host === null
        ? ({ name: null, version: null, family: "mastodon" } as const)
        : await hostSoftware(host, request, signal);
    const token = host === null ? null : await hostToken(host);
    return await lookAgain({ ...row, software, token, request, signal });
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { kind: "unverifiable", reason: error.message, retry_at: error.retry_at };
  }
}
