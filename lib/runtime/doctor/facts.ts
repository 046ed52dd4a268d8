import type { BackupStatus } from "#lib/backup-status.ts";

/** Facts about an installation; null where a fact is not known. No secret is among them. */
export interface Facts {
  settings: {
    given: string[];
    publicUrl: string;
    hasPublicUrl: boolean;
    host: string;
    hasDirectUrl: boolean;
    hasBackups: boolean;
  };
  /** A sentence: why it cannot be used. */
  database: DatabaseFacts | { problem: string };
  /** Seconds that this clock is ahead of another: of the database, and of a server of the Internet. */
  clock: { ofDatabase: number | null; ofNetwork: number | null };
  network: { host: string; problem: string | null };
  /** Null without SMTP_URL. */
  mail: { host: string; problem: string | null } | null;
  disk: { free: number; size: number } | null;
  /** Megabytes. */
  memory: number;
  backup: BackupStatus | null;
  /** Answer of PUBLIC_URL/health. */
  publicAddress: { version: string } | { problem: string };
  version: string;
  now: number;
  /** The request of Settings → Doctor; null for the command. */
  browser: {
    /** Of the page; null when not given. */
    origin: string | null;
    /** Network of the client, such as 192.0.2.0/24; null when not known. */
    network: string | null;
    /** A proxy that is not declared forwarded the request. */
    hasUnknownProxy: boolean;
  } | null;
}

export interface DatabaseFacts {
  /** Major version of PostgreSQL. */
  major: number;
  /** Tables that the application's role cannot write. */
  forbidden: string[];
  isReadOnly: boolean;
  hasPooler: boolean;
  missingMigrations: string[];
  unknownMigrations: string[];
  hasFunctions: boolean;
  /** Such as "1 token of another server"; null when everything can be decrypted. */
  unreadable: string | null;
  workerAgeSeconds: number;
}
