import { afterAll, afterEach, beforeEach, inject, vi } from "vitest";

/*
 * Runs before each test file. Unexpected console output fails a test; mock the console where it is expected.
 * Integration tests get a database before any module of the file is loaded.
 */

process.env.LOG_LEVEL ??= "silent";

const output: string[] = [];

beforeEach(() => {
  output.length = 0;
  for (const level of ["error", "warn"] as const) {
    console[level] = (...parts: unknown[]) => {
      output.push(`console.${level}: ${parts.map(asText).join(" ")}`);
    };
  }
});

afterEach(() => {
  if (output.length > 0) throw new Error(`Unexpected console output:\n${output.join("\n")}`);
});

function asText(part: unknown): string {
  return part instanceof Error ? (part.stack ?? part.message) : String(part);
}

// Settings of a former file of this worker.
const holder = globalThis as { sluiceTestEnvironment?: NodeJS.ProcessEnv };
const before = holder.sluiceTestEnvironment;
if (before !== undefined) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  const { forgetEnv } = await import("#lib/base/env.ts");
  forgetEnv();
}

// Unit tests have no server.
const server = inject("databaseServer") as ReturnType<typeof inject<"databaseServer">> | undefined;
if (server !== undefined) {
  const { observer } = await import("#lib/base/http/operation.ts");
  const { verifyAnswer } = await import("./verify-answer.ts");
  observer.answered = verifyAnswer;
  const { prepareWorkerDatabase } = await import("./worker-database.ts");
  await prepareWorkerDatabase(server);
  // A write that a request did not wait for would reach the next file.
  afterAll(async () => {
    const { sluicePool: pool } = globalThis as { sluicePool?: { totalCount: number; idleCount: number } };
    await vi.waitUntil(() => pool?.totalCount === pool?.idleCount, { timeout: 10_000, interval: 5 });
  });
}
holder.sluiceTestEnvironment ??= { ...process.env };
