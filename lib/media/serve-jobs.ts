import { setPriority } from "node:os";

const WATCH_EVERY_MS = 20;

/**
 * Runs in a child process of `createJobProcesses` and answers one job at a time. Ends the process when it needs more memory than
 * its argument allows. A timer checks the memory while another thread works; a job in this thread is checked at its end.
 */
export function serveJobs<Job, Answer>(title: string, run: (job: Job) => Promise<Answer>): void {
  const maxMemoryBytes = Number(process.argv[2]);
  const check = () => {
    if (process.memoryUsage.rss() > maxMemoryBytes) end();
  };
  process.title = title;
  try {
    // Requests come first.
    setPriority(10);
  } catch {
    // Not permitted everywhere.
  }
  process.on("disconnect", end);
  process.on("message", (job: Job) => void work(job));

  async function work(job: Job): Promise<void> {
    check();
    const watch = setInterval(check, WATCH_EVERY_MS);
    const answer = await run(job);
    clearInterval(watch);
    check();
    process.send?.(answer);
  }
}

/** `process.exit` would wait for other threads. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}
