import { listSilentKeys } from "#lib/accounts/api-keys.ts";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { toIso } from "#lib/base/clock.ts";
import type { Tx } from "#lib/base/db.ts";
import { diskSpace } from "#lib/base/disk-space.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { countRecentErrors } from "./get-stats.ts";
import { listConsumingKeys } from "./get-overview.ts";
import { alertRules, findAlerts, MAX_ERRORS_PER_HOUR, type FoundAlert } from "./alert-rules.ts";
import type { Alert } from "./alert-schema.ts";
import { alertRows, endAlerts, listSilentStreams, mayStart, noteCheck, startAlerts } from "./alert-sql.ts";
export { pruneAlerts } from "./alert-sql.ts";

/** An alert ends when its condition has not held for so long, so that a condition that comes and goes is told once. */
const END_AFTER_MINUTES = 60;
/** After a longer pause of the service, streams and bots get ten minutes before an alert starts. */
const MAX_GAP_MINUTES = 60;

/** Ids, lowest first. */
export interface AlertChange {
  started: number[];
  ended: number[];
}

/** Alerts whose condition holds now. Empty in the first ten minutes, as `watchAlerts` starts none. */
export async function readAlerts(): Promise<(FoundAlert & { path: string })[]> {
  if (!(await mayStart())) return [];
  const found = await currentAlerts();
  return found.map((alert) => ({ ...alert, path: alertRules[alert.rule].path(alert.subject) }));
}

async function currentAlerts(): Promise<FoundAlert[]> {
  const [supply, silentStreams, recentErrors, silentKeys, backup] = await Promise.all([
    queueSupply(),
    listSilentStreams(),
    countRecentErrors(MAX_ERRORS_PER_HOUR + 1),
    listConsumingKeys().then(listSilentKeys),
    readBackupStatus(),
  ]);
  return findAlerts({
    now: Date.now(),
    runway: supply.runway_days,
    ...{ silentStreams, recentErrors, silentKeys, backup },
    disk: diskSpace(),
  });
}

/**
 * Starts and ends alerts. Several processes may call it: each start and each end is told once. Facts of one machine,
 * such as its disk, keep an alert open as long as one of the machines sees the condition.
 *
 * @param tell stores messages, in the transaction of the change
 */
export async function watchAlerts(tell: (tx: Tx, change: AlertChange) => Promise<void>): Promise<void> {
  const found = await currentAlerts();
  // Schedulers of serverless platforms may call once a day.
  const maxGap = env().VERCEL === undefined ? MAX_GAP_MINUTES : null;
  const change = await inTransaction(async (tx) => {
    const started = (await noteCheck(tx, maxGap)) ? await startAlerts(tx, found) : [];
    const ended = await endAlerts(tx, found, END_AFTER_MINUTES);
    if (started.length + ended.length > 0) await tell(tx, { started, ended });
    return { started, ended };
  });
  if (change.started.length > 0) log.warn({ alerts: change.started }, "alerts started");
  if (change.ended.length > 0) log.info({ alerts: change.ended }, "alerts ended");
}

/** For messages. Without alerts about keys that were revoked since. */
export async function describeAlerts(ids: readonly number[]): Promise<(Alert & { advice: string })[]> {
  const rows = await alertRows(ids);
  return rows.map(({ id, rule, subject, title, started_at, ended_at }) => ({
    id,
    alert: rule,
    stream_id: rule === "stream.silent" ? subject : null,
    key_id: rule === "key.silent" ? subject : null,
    title,
    url: env().PUBLIC_URL + alertRules[rule].path(subject),
    started_at: toIso(started_at),
    ended_at: toIso(ended_at),
    advice: alertRules[rule].advice,
  }));
}
