import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { env } from "./env.ts";

/* Restarts of processes since the start of the service: a file that the supervisor writes and the web server reads. */

const NAME = "process-restarts.json";
const Restarts = z.record(z.string(), z.number());

/** By name of the process. */
export function readRestarts(dataDir = env().DATA_DIR): Record<string, number> {
  try {
    return Restarts.parse(
      JSON.parse(readFileSync(path.resolve(/*turbopackIgnore: true*/ dataDir, NAME), "utf8")),
    );
  } catch {
    return {};
  }
}

/** A disk that is full must not stop the restart. */
export function noteRestart(dataDir: string, name: string): void {
  const restarts = readRestarts(dataDir);
  restarts[name] = (restarts[name] ?? 0) + 1;
  try {
    writeFileSync(path.join(dataDir, NAME), JSON.stringify(restarts), { mode: 0o600 });
  } catch {
    // Only a figure.
  }
}

export function forgetRestarts(dataDir: string): void {
  rmSync(path.join(dataDir, NAME), { force: true });
}
