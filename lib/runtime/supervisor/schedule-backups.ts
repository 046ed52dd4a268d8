import { type ChildProcess, fork } from "node:child_process";
import { sleep } from "#lib/clock.ts";
import { log } from "#lib/log.ts";
import { isNightlyDue } from "#lib/runtime/backup/nightly.ts";

/** Milliseconds. A start has other work first. */
const FIRST_CHECK = 20_000;
const NEXT_CHECK = 600_000;
const AFTER_FAILURE = 3_600_000;

export type BackupSchedule = {
  /** Ends a running backup. */
  stop: () => Promise<void>;
};

/** @param environment of the process that makes the backup; BACKUP_DIR is set */
export function scheduleBackups(environment: NodeJS.ProcessEnv, timeZone: string): BackupSchedule {
  const folder = environment.BACKUP_DIR ?? "";
  const stopping = new AbortController();
  let current: ChildProcess | undefined;

  const run = async () => {
    current = fork(new URL("./nightly-backup.ts", import.meta.url), {
      env: environment,
      execArgv: ["--disable-warning=ExperimentalWarning", "--max-old-space-size=96"],
    });
    const child = current;
    const code = await new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
    return code === 0;
  };
  const loop = async () => {
    for (let pause = FIRST_CHECK; ;) {
      await sleep(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      pause = (await attempt()) ? NEXT_CHECK : AFTER_FAILURE;
    }
  };
  const attempt = async () => {
    try {
      return !(await isNightlyDue(folder, timeZone, new Date())) || (await run());
    } catch (error) {
      log.error({ err: error }, "nightly backup failed");
      return false;
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
