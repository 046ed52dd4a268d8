import { nextFetchOf } from "#components/streams/intake-state.ts";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import type { CurrentMember } from "#lib/accounts/current-member.ts";
import { countInvitations } from "#lib/accounts/links.ts";
import { isBackupFailing, readBackupStatus } from "#lib/base/backup-status.ts";
import { now } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { checkWorker } from "#lib/base/http/health.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { getSettings, lostHours } from "#lib/blocking/settings.ts";
import { listOptOuts } from "#lib/collect/opt-outs.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { listWaitingHosts } from "#lib/fediverse/governed-request.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { countToReview } from "#lib/review/deck.ts";
import type { AlertName } from "#lib/stats/alert-schema.ts";
import { getToday } from "#lib/stats/get-overview.ts";
import { getStats, listErrorReasons } from "#lib/stats/get-stats.ts";
import { readAlerts } from "#lib/stats/watch-alerts.ts";

const ERROR_REASONS = 200;
const OVERDUE_MS = 15 * 60_000;
const forEverybody: readonly AlertName[] = ["supply.low", "errors.jump", "key.silent"];

export type HomeFacts = Awaited<ReturnType<typeof readHomeFacts>>;

/** Counters and short lists; no query reads more posts than it shows. */
export async function readHomeFacts({ id, role }: Pick<CurrentMember, "id" | "role">) {
  const time = now();
  const isAdmin = role === "admin";
  const reviewer = { kind: "member", member_id: id, key_id: null } as const;
  const [
    left,
    stats,
    supply,
    errors,
    optOuts,
    streams,
    waitingHosts,
    today,
    keys,
    invitations,
    worker,
    alerts,
    { deliveries_paused: isPaused },
    lost,
  ] = await Promise.all([
    countToReview(reviewer, { order: "oldest" }),
    getStats(),
    queueSupply(),
    listErrorReasons(ERROR_REASONS),
    listOptOuts(),
    listStreams({ active: true, skip: 0, limit: 1000 }),
    listWaitingHosts(),
    getToday(),
    keyStatus({ scopes: scopesOf(role), member_id: id }),
    isAdmin ? countInvitations() : 0,
    isAdmin ? checkWorker() : null,
    readAlerts(),
    getSettings(),
    lostHours(),
  ]);
  const nextFetch = nextFetchOf(streams.items);
  const backups = isAdmin ? readBackupStatus() : null;
  return {
    now: time.getTime(),
    role,
    /** Counted as on the desk. */
    unreviewed: left.remaining + left.leased_to_others,
    stats,
    supply,
    errors,
    optOuts: optOuts.total,
    streams: streams.items,
    nextFetch,
    overdueSince: isOverdue(nextFetch, time, waitingHosts.length > 0) ? nextFetch : null,
    waitingHosts,
    isPaused,
    lost,
    today,
    keys: keys.keys,
    hasKey: keys.api_key_set,
    invitations,
    workerSilentSince:
      worker?.status === "silent"
        ? new Date(time.getTime() - worker.last_round_age_seconds * 1000).toISOString()
        : null,
    /** Those about the machine and the streams are for admins. */
    alerts: isAdmin ? alerts : alerts.filter(({ rule }) => forEverybody.includes(rule)),
    backupFailure: backups !== null && isBackupFailing(backups) ? backups.failure : null,
  };
}

/** Schedulers of serverless platforms may call once a day, and a paused server delays its streams. */
function isOverdue(nextFetch: string | undefined, time: Date, isHostPaused: boolean): nextFetch is string {
  if (nextFetch === undefined || isHostPaused || env().VERCEL !== undefined) return false;
  return time.getTime() - Date.parse(nextFetch) > OVERDUE_MS;
}
