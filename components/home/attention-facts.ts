import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "#components/shell/roles.ts";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import type { BackupStatus } from "#lib/base/backup-status.ts";
import type { Stream } from "#lib/collect/stream-schema.ts";
import type { QueueSupply } from "#lib/queue/overview-schema.ts";
import type { AlertName } from "#lib/stats/alert-schema.ts";

/** Entries per kind; the rest is one more entry. */
export const SHOWN = 3;

export type Severity = "problem" | "warning" | "work" | "note";

export interface Attention {
  key: string;
  severity: Severity;
  icon: LucideIcon;
  title: string;
  hint?: ReactNode;
  href: string;
  step: string;
  /** Lowest role that can settle it. */
  least: Role;
}

export interface AttentionFacts {
  now: number;
  role: Role;
  unreviewed: number;
  /** Reasons of failed deliveries, most frequent first. */
  errors: readonly { reason: string; count: number }[];
  /** Reported, not decided. */
  optOuts: number;
  streams: readonly Stream[];
  /** Time of a planned fetch that should have happened long ago. */
  overdueSince: string | null;
  waitingHosts: readonly { host: string; until: string }[];
  supply: Pick<QueueSupply, "available" | "deliveries_per_day" | "runway_days" | "held" | "kept_back">;
  keys: readonly ApiKey[];
  alerts: readonly FoundAlert[];
  /** The rest is empty for everybody but admins. */
  invitations: number;
  workerSilentSince: string | null;
  /** Why the latest backup failed. */
  backupFailure: BackupStatus["failure"];
}

/** An alert whose condition holds (lib/stats). */
export interface FoundAlert {
  rule: AlertName;
  /** Id of the stream or key; 0 for the installation. */
  subject: number;
  title: string;
  path: string;
}

export function alertsOf({ alerts }: Pick<AttentionFacts, "alerts">, rule: AlertName): FoundAlert[] {
  return alerts.filter((alert) => alert.rule === rule);
}
