import { listSilentKeys } from "#lib/accounts/api-keys.ts";
import type { Mail, MailRow } from "#lib/accounts/mail.ts";
import { isBackupFailing, isBackupOld, readBackupStatus } from "#lib/base/backup-status.ts";
import { now } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { diskSpace, isDiskNearlyFull } from "#lib/base/disk-space.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { alertRows, endAlerts, listSilentStreams, mayStart, noteCheck, startAlerts } from "./alert-sql.ts";
import { listConsumingKeys } from "./get-overview.ts";
import { countRecentErrors } from "./sql.ts";
export { pruneAlerts } from "./alert-sql.ts";

/** An alert ends when its condition has not held for this time, so that a condition that comes and goes gives one mail. */
const END_AFTER_MINUTES = 60;
/** After a pause of the service that was longer, no alert starts for ten minutes: streams and bots need them. */
const MAX_GAP_MINUTES = 60;
/** More failed deliveries in an hour are an alert. The rule SluiceErrorsJump of docs/monitoring/alerts.yml has the same limit. */
const MAX_ERRORS_PER_HOUR = 10;

/**
 * The page on which a person can act, the label of the link to it, and advice. One more alert: a row here, and its condition
 * in `currentAlerts`.
 */
const rules = {
  "supply.low": { path: "/queue", step: "Open queue", advice: "Review posts." },
  "stream.silent": {
    path: "/streams/",
    step: "Open stream",
    advice: "Look at the last error of the stream.",
  },
  "errors.jump": {
    path: "/queue#errors",
    step: "Show errors",
    advice: "Look at the reasons that the bots gave.",
  },
  "key.silent": {
    path: "/settings/keys#key-",
    step: "Open key",
    advice: "Start the bot again, or revoke its key.",
  },
  "backup.failed": {
    path: "/settings/installation",
    step: "Backups",
    advice: "Look at the reason, and check the folder of the backups.",
  },
  "disk.full": {
    path: "/settings/installation",
    step: "Installation",
    advice: "Free space, shorten RETENTION_DAYS, or keep fewer backups (BACKUP_KEEP).",
  },
} as const;

export interface Alert {
  rule: keyof typeof rules;
  /** Id of the stream or key; 0 for the installation. */
  subject: number;
  title: string;
}

export interface FoundAlert extends Alert {
  path: string;
  step: string;
  advice: string;
}

function describe({ rule, subject, title }: Alert): FoundAlert {
  const { path, step, advice } = rules[rule];
  return { rule, subject, title, path: `${path}${subject || ""}`, step, advice };
}

/** Alerts whose condition holds now; none while `watchAlerts` starts none. */
export async function readAlerts(): Promise<FoundAlert[]> {
  return (await mayStart()) ? (await currentAlerts()).map(describe) : [];
}

async function currentAlerts(): Promise<Alert[]> {
  const [supply, streams, errors, keys, backup] = await Promise.all([
    queueSupply(),
    listSilentStreams(),
    countRecentErrors(MAX_ERRORS_PER_HOUR + 1),
    listConsumingKeys().then(listSilentKeys),
    readBackupStatus(),
  ]);
  const disk = diskSpace();
  const found: Alert[] = [];
  const add = (rule: Alert["rule"], title: string, subject = 0) => found.push({ rule, subject, title });
  if (supply.runway_days !== null && supply.runway_days < 1)
    add("supply.low", "The queue lasts less than a day");
  for (const { id, hashtag, instance } of streams)
    add("stream.silent", `#${hashtag} on ${instance} was not fetched for a day`, id);
  if (errors > MAX_ERRORS_PER_HOUR)
    add("errors.jump", `More than ${MAX_ERRORS_PER_HOUR} deliveries failed within an hour`);
  for (const { id, name, last_characters } of keys)
    add("key.silent", `The bot with the key ${name} (…${last_characters}) has stopped asking for posts`, id);
  if (backup !== null && isBackupFailing(backup)) add("backup.failed", "The nightly backup failed");
  else if (backup?.success && isBackupOld(backup.success.at, now().getTime()))
    add("backup.failed", "The newest nightly backup is older than two days");
  if (disk !== null && isDiskNearlyFull(disk)) add("disk.full", "The disk is nearly full");
  return found;
}

/** Ids of alerts, lowest first. */
export interface AlertChange {
  started: number[];
  ended: number[];
}

/**
 * Starts and ends alerts. Several processes may call it: each start and end is notified once. An alert about a machine, such
 * as its disk, stays open as long as one of several machines sees the condition.
 *
 * @param notify stores the mail, in the transaction of the change
 */
export async function watchAlerts(notify: (tx: Tx, change: AlertChange) => Promise<void>): Promise<void> {
  const found = await currentAlerts();
  // Schedulers of serverless platforms may call once a day.
  const maxGap = env().VERCEL === undefined ? MAX_GAP_MINUTES : null;
  const change = await inTransaction(async (tx) => {
    const started = (await noteCheck(tx, maxGap)) ? await startAlerts(tx, found) : [];
    const ended = await endAlerts(tx, found, END_AFTER_MINUTES);
    if (started.length + ended.length > 0) await notify(tx, { started, ended });
    return { started, ended };
  });
  if (change.started.length > 0) log.warn({ alerts: change.started }, "alerts started");
  if (change.ended.length > 0) log.info({ alerts: change.ended }, "alerts ended");
}

/** The mail of a row; null if the member is no admin any more or wants none, or if no alert is left to report. */
export async function composeAlertMail({ member_id, alert_ids }: MailRow): Promise<Mail | null> {
  const member = await db.member.findUnique({ where: { id: member_id ?? 0 } });
  if (member === null || member.role !== "admin" || member.disabled_at !== null) return null;
  if ((member.preferences as { alert_mail?: unknown }).alert_mail === false) return null;
  const url = env().PUBLIC_URL;
  const alerts = (await alertRows(alert_ids)).map((row) => {
    const { title, path, advice } = describe(row);
    return row.ended_at === null
      ? { title, lines: [advice, url + path] }
      : { title: `Over: ${title}`, lines: [url + path] };
  });
  const [first] = alerts;
  if (first === undefined) return null;
  return {
    to: member.email,
    subject: `Sluice: ${alerts.length === 1 ? first.title : `${alerts.length} alerts`}`,
    text: [
      ...alerts.map(({ title, lines }) => [title, ...lines].join("\n")),
      `You get this mail as an admin of ${url}. To stop it, change your profile: ${url}/settings`,
    ].join("\n\n"),
  };
}
