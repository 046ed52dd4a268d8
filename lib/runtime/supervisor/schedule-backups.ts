import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readBackupStatus, writeBackupStatus } from "#lib/base/backup-status.ts";
import { sleep } from "#lib/base/clock.ts";
import { log } from "#lib/base/log.ts";
import { isNightlyDue, listNightly } from "#lib/runtime/backup/nightly.ts";
import type { BackupProblem } from "./nightly-backup.ts";

/** A start has other work first. */
const FIRST_CHECK_MS = 20_000;
const NEXT_CHECK_MS = 600_000;
const RETRY_AFTER_MS = 3_600_000;

export type BackupSchedule = {
  /** Ends a running backup. */
  stop: () => Promise<void>;
};

/** @param environment of the process that makes the backup; BACKUP_DIR and DATA_DIR are absolute */
export function scheduleBackups(
  environment: NodeJS.ProcessEnv,
  timeZone: string,
  firstCheck = FIRST_CHECK_MS,
): BackupSchedule {
  const { BACKUP_DIR: folder = "", DATA_DIR: dataDir = "" } = environment;
  const stopping = new AbortController();
  let current: ChildProcess | undefined;

  /** @returns the problem of a backup that was due, or null */
  const attempt = async (): Promise<string | null> => {
    if (!(await isNightlyDue(folder, timeZone, new Date()))) return null;
    current = fork(new URL("./nightly-backup.ts", import.meta.url), {
      env: environment,
      execArgv: ["--disable-warning=ExperimentalWarning", "--max-old-space-size=96"],
    });
    return problemOf(current);
  };
  const loop = async () => {
    await recordAttempt(dataDir, folder, null);
    for (let pause = firstCheck; ;) {
      await sleep(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      const problem = await attempt().catch((error: Error) => {
        log.error({ err: error }, "nightly backup failed");
        return error.message;
      });
      if (!stopping.signal.aborted) await recordAttempt(dataDir, folder, problem);
      pause = problem === null ? NEXT_CHECK_MS : RETRY_AFTER_MS;
    }
  };

  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      current?.kill("SIGTERM");
      await ended;
    },
  };
}

/** @returns null after a success */
async function problemOf(child: ChildProcess): Promise<string | null> {
  let reported: string | undefined;
  child.on("message", (message: BackupProblem) => (reported = message.problem));
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (code === 0) return null;
  return reported ?? `The backup process ended (${signal ?? `code ${code}`}).`;
}

/** For the screens and the metrics. */
async function recordAttempt(dataDir: string, folder: string, problem: string | null): Promise<void> {
  try {
    // Another instance may have made it.
    const [newest] = await listNightly(folder, new Date());
    writeBackupStatus(dataDir, {
      folder,
      success: newest === undefined ? null : { at: newest.at.toISOString(), bytes: newest.size },
      failure:
        problem === null
          ? (readBackupStatus(dataDir)?.failure ?? null)
          : { at: new Date().toISOString(), reason: problem },
    });
  } catch (error) {
    log.error({ err: error }, "result of the nightly backup cannot be stored");
  }
}
