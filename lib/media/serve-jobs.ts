import { setPriority } from "node:os";

const WATCH_EVERY_MS = 20;

/**
 * In a child process of `createJobProcesses`: answers one job at a time. Ends the process when it needs more memory than
 * its argument says. The timer runs while another thread works; after work in this thread the memory is compared, too.
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
