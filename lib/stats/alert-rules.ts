import type { SilentKey } from "#lib/accounts/api-keys.ts";
import { isBackupFailing, isBackupOld, type BackupStatus } from "#lib/base/backup-status.ts";
import { isDiskNearlyFull, type DiskSpace } from "#lib/base/disk-space.ts";
import { isSupplyLow } from "#lib/queue/overview-schema.ts";
import type { SilentStream } from "./alert-sql.ts";
import type { AlertName } from "./alert-schema.ts";

/** Facts about the whole installation; null where a fact is not known here. */
export interface AlertFacts {
  now: number;
  /** Days; null without deliveries. */
  runway: number | null;
  silentStreams: readonly SilentStream[];
  /** Deliveries that failed in the last hour. */
  recentErrors: number;
  silentKeys: readonly SilentKey[];
  backup: Pick<BackupStatus, "success" | "failure"> | null;
  disk: DiskSpace | null;
}

/** Failed deliveries of an hour. The rule SluiceErrorsJump of docs/monitoring/alerts.yml has the same limit. */
export const MAX_ERRORS_PER_HOUR = 10;

interface Found {
  /** Id of the stream or key; 0 for the installation. */
  subject: number;
  title: string;
}

interface AlertRule {
  /** All for which the condition holds. */
  find: (facts: AlertFacts) => Found[];
  /** Page on which a person acts. */
  path: (subject: number) => string;
  /** The next step of that person. */
  advice: string;
}

const once = (holds: boolean, title: string): Found[] => (holds ? [{ subject: 0, title }] : []);

/** One more alert: a name in schema.ts and its row here. */
export const alertRules: Record<AlertName, AlertRule> = {
  "supply.low": {
    find: ({ runway }) => once(isSupplyLow(runway), "The queue lasts less than a day"),
    path: () => "/queue",
    advice: "Review posts.",
  },
  "stream.silent": {
    find: ({ silentStreams }) =>
      silentStreams.map(({ id, hashtag, instance }) => ({
        subject: id,
        title: `#${hashtag} on ${instance} was not fetched for a day`,
      })),
    path: (id) => `/streams/${id}`,
    advice: "Look at the last error of the stream.",
  },
  "errors.jump": {
    find: ({ recentErrors }) =>
      once(
        recentErrors > MAX_ERRORS_PER_HOUR,
        `More than ${MAX_ERRORS_PER_HOUR} deliveries failed within an hour`,
      ),
    path: () => "/queue#errors",
    advice: "Look at the reasons that the bots gave.",
  },
  "key.silent": {
    find: ({ silentKeys }) =>
      silentKeys.map(({ id, name, last_characters }) => ({
        subject: id,
        title: `The bot with the key ${name} (…${last_characters}) has stopped asking for posts`,
      })),
    path: (id) => `/settings/keys/${id}`,
    advice: "Start the bot again, or revoke its key.",
  },
  "backup.failed": {
    find: ({ backup, now }) => {
      if (backup === null) return [];
      if (isBackupFailing(backup)) return once(true, "The nightly backup failed");
      const isOld = backup.success !== null && isBackupOld(backup.success.at, now);
      return once(isOld, "The newest nightly backup is older than two days");
    },
    path: () => "/settings/installation",
    advice: "Look at the reason, and check the folder of the backups.",
  },
  "disk.full": {
    find: ({ disk }) => once(disk !== null && isDiskNearlyFull(disk), "The disk is nearly full"),
    path: () => "/settings/installation",
    advice: "Free space, shorten RETENTION_DAYS, or keep fewer backups (BACKUP_KEEP).",
  },
};

export type FoundAlert = Found & { rule: AlertName };

/** Alerts whose condition holds. */
export function findAlerts(facts: AlertFacts): FoundAlert[] {
  return (Object.keys(alertRules) as AlertName[]).flatMap((rule) =>
    alertRules[rule].find(facts).map((found) => ({ rule, ...found })),
  );
}
