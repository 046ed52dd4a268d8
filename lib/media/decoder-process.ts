import { setPriority } from "node:os";
import type { DecoderJob } from "./decoder-messages.ts";
import { runJob } from "./run-job.ts";

/*
 * Decodes pictures for the web process (decoders.ts), one at a time. Ends itself when it needs more memory than its
 * argument says: pictures are decoded in another thread, so the timer runs meanwhile.
 */

const maxMemory = Number(process.argv[2]);
/** Milliseconds. */
const WATCH = 20;

process.title = "sluice-decoder";
try {
  // Requests come first.
  setPriority(10);
} catch {
  // Not permitted everywhere.
}
process.on("disconnect", end);
process.on("message", (job: DecoderJob) => void work(job));

async function work(job: DecoderJob): Promise<void> {
  const check = () => {
    if (process.memoryUsage.rss() > maxMemory) end();
  };
  check();
  const watch = setInterval(check, WATCH);
  const answer = await runJob(job);
  clearInterval(watch);
  process.send?.(answer);
}

/** `process.exit` would wait for the decoding thread. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}
