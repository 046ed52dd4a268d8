import { isBackupFailing, isBackupOld } from "#lib/backup-status.ts";
import { isDiskNearlyFull } from "#lib/disk-space.ts";
import { MIN_MEMORY_MB } from "#lib/machine-memory.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import type { DatabaseFacts, Facts } from "./facts.ts";
import type { Finding } from "./schema.ts";

const MIN_POSTGRES = 15;
const GB = 2 ** 30;

type Judgement = Omit<Finding, "check">;
const ok = (text: string): Judgement => ({ state: "ok", text, advice: "" });
const warn = (text: string, advice: string): Judgement => ({ state: "warn", text, advice });
const fail = (text: string, advice: string): Judgement => ({ state: "fail", text, advice });

/** The checks of `npm run sluice -- doctor` and of Settings → Doctor, in their order; null: not made here. */
const checks: Record<string, (facts: Facts) => Judgement | null> = {
  settings: ({ settings: { given, hasPublicUrl, host } }) => {
    if (!hasPublicUrl && !isLocal(host))
      return warn(
        "PUBLIC_URL is not set, and HOST listens on a network.",
        "Set PUBLIC_URL to the address that people use.",
      );
    return ok(given.length === 0 ? "All settings have their defaults." : `Set: ${given.join(", ")}.`);
  },
  database: ({ database }) => {
    if ("problem" in database)
      return fail(database.problem, "Check DATABASE_URL, and that the database runs.");
    if (database.major < MIN_POSTGRES)
      return fail(`PostgreSQL ${database.major}.`, `Upgrade to PostgreSQL ${MIN_POSTGRES} or newer.`);
    if (database.isReadOnly)
      return fail("The database is read-only.", "Connect to the primary server, or free space on its disk.");
    return ok(`PostgreSQL ${database.major}.`);
  },
  rights: ofDatabase(({ forbidden }) =>
    forbidden.length > 0
      ? fail(
          `The role of DATABASE_URL cannot write ${forbidden.join(", ")}.`,
          "Grant it the rights: start the service once with DIRECT_URL set to the owner of the tables.",
        )
      : ok("The application's role can read and write all tables."),
  ),
  pooler: ofDatabase(({ hasPooler }, { settings }) => {
    if (!hasPooler) return ok("No pooler between here and the database.");
    if (settings.hasDirectUrl) return ok("DATABASE_URL leads to a pooler, DIRECT_URL to the database.");
    return warn(
      "DATABASE_URL leads to a pooler.",
      "Set DIRECT_URL to the database itself, for migrations and backups.",
    );
  }),
  schema: ofDatabase(({ missingMigrations: missing, unknownMigrations: unknown, hasFunctions }) => {
    if (unknown.length > 0)
      return fail(
        `The database is newer than this version: ${unknown.join(", ")}.`,
        "Start the version that made it, or a newer one.",
      );
    if (missing.length > 0 || !hasFunctions)
      return fail(
        missing.length > 0 ? `Migrations are missing: ${missing.join(", ")}.` : "SQL functions are outdated.",
        `Start the service again, or run \`${commandLine("migrate")}\` while no service runs.`,
      );
    return ok("The schema is that of this version.");
  }),
  "encryption key": ofDatabase(({ unreadable }) =>
    unreadable === null
      ? ok("The key decrypts everything.")
      : fail(
          `The key does not decrypt ${unreadable}.`,
          `Put the former ENCRYPTION_KEY back, or run \`${commandLine("rotate-encryption-key")}\`.`,
        ),
  ),
  worker: ofDatabase(({ workerAgeSeconds }) =>
    workerAgeSeconds > 300
      ? warn(
          `The last background work ended ${workerAgeSeconds} s ago.`,
          "Start the service, or look at its log.",
        )
      : ok(`The last background work ended ${workerAgeSeconds} s ago.`),
  ),
  clock: ({ clock: { ofDatabase, ofNetwork } }) => {
    const worst = Math.max(Math.abs(ofDatabase ?? 0), Math.abs(ofNetwork ?? 0));
    const text = `Difference to the database ${seconds(ofDatabase)}, to another server ${seconds(ofNetwork)}.`;
    const advice = "Synchronise the clocks of this machine and of the database (NTP).";
    if (worst > 60) return fail(text, advice);
    return worst > 5 ? warn(text, advice) : ok(text);
  },
  network: ({ network: { host, problem } }) =>
    problem === null
      ? ok(`${host} answers.`)
      : fail(problem, "Check name resolution, firewall and proxy: streams need HTTPS to other servers."),
  "e-mail": ({ mail }) => {
    if (mail === null) return ok("SMTP_URL is not set: no e-mail is sent.");
    if (mail.problem === null) return ok(`${mail.host} accepts mail.`);
    return fail(
      `${mail.host}: ${mail.problem}.`,
      "Check host, port, user and password of SMTP_URL, and that a firewall lets it through.",
    );
  },
  disk: ({ disk }) => {
    if (disk === null) return warn("The free space of DATA_DIR is not known.", "Check that DATA_DIR exists.");
    const text = `${(disk.free / GB).toFixed(1)} of ${(disk.size / GB).toFixed(1)} GB free.`;
    const advice = "Free space, shorten RETENTION_DAYS, or keep fewer backups (BACKUP_KEEP).";
    if (disk.free < 0.5 * GB) return fail(text, advice);
    return isDiskNearlyFull(disk) ? warn(text, advice) : ok(text);
  },
  memory: ({ memory }) =>
    memory < MIN_MEMORY_MB
      ? fail(`${memory} MB.`, `Give the machine or container at least ${MIN_MEMORY_MB} MB, better 1 GB.`)
      : ok(`${memory} MB.`),
  backup: ({ backup, settings, now }) => {
    if (backup === null)
      return settings.hasBackups
        ? warn("There is no nightly backup yet.", "Let the service run for a night, then ask again.")
        : warn(
            "Nightly backups are off.",
            "Set BACKUP_DIR and BACKUP_KEEP, or back up the database yourself.",
          );
    if (isBackupFailing(backup))
      return fail(backup.failure?.reason ?? "The last backup failed.", `Check ${backup.folder}.`);
    if (backup.success === null)
      return warn("There is no nightly backup yet.", "Let the service run for a night, then ask again.");
    if (isBackupOld(backup.success.at, now))
      return warn(`The newest backup is of ${backup.success.at}.`, "Look at the log of the service.");
    return ok(`The newest backup is of ${backup.success.at}.`);
  },
  "public address": ({ publicAddress, settings: { publicUrl }, version }) => {
    if ("problem" in publicAddress)
      return warn(
        `${publicUrl}: ${publicAddress.problem}`,
        "Start the service; check PUBLIC_URL, its certificate and the reverse proxy. Run the command with the settings of the service, such as PORT.",
      );
    if (publicAddress.version !== version)
      return warn(
        `${publicUrl} is answered by version ${publicAddress.version}.`,
        `Restart the service to run version ${version}.`,
      );
    if (publicUrl.startsWith("http:") && !isLocal(new URL(publicUrl).hostname))
      return warn(`${publicUrl} is not encrypted.`, "Put a reverse proxy with HTTPS in front (contrib).");
    return ok(`${publicUrl} answers.`);
  },
  "address in the browser": ({ browser, settings: { publicUrl } }) => {
    if (browser?.origin == null) return null;
    if (browser.origin === new URL(publicUrl).origin) return ok(`This browser uses ${browser.origin}.`);
    return warn(
      `This browser uses ${browser.origin}, but PUBLIC_URL is ${publicUrl}.`,
      "Set PUBLIC_URL to the address that people use: links, cookies and sign-in callbacks follow it.",
    );
  },
  "proxy headers": ({ browser }) => {
    if (browser === null) return null;
    if (browser.hasUnknownProxy)
      return warn(
        "A proxy that TRUSTED_PROXIES does not name forwards requests, so addresses of clients are not known.",
        "Set TRUSTED_PROXIES to the address of the proxy: guesses of passwords are then slowed by address, too.",
      );
    return ok(`This browser is seen in the network ${browser.network ?? "without an address"}.`);
  },
};

/** One line for each check. */
export function judge(facts: Facts): Finding[] {
  return Object.entries(checks).flatMap(([check, judgeOne]) => {
    const judgement = judgeOne(facts);
    return judgement === null ? [] : [{ check, ...judgement }];
  });
}

export function describeFindings(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ check, state, text, advice }) =>
      `${state.padEnd(4)}  ${check.padEnd(14)}  ${text}${advice === "" ? "" : ` ${advice}`}`,
  );
}

function ofDatabase(judgeOne: (database: DatabaseFacts, facts: Facts) => Judgement) {
  return (facts: Facts): Judgement =>
    "problem" in facts.database
      ? warn("Not checked without the database.", "")
      : judgeOne(facts.database, facts);
}

function isLocal(host: string): boolean {
  return /^(127\.|::1$|\[::1\]$|localhost$)/.test(host);
}

function seconds(value: number | null): string {
  return value === null ? "not known" : `${Math.round(value)} s`;
}
