import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./architecture/source-files.ts";

/*
 * Runs the lines of CONTRIBUTING.md that change nothing and need no build. `npm run demo` and `npm run dev` are run by
 * tests/e2e/commands.slow.spec.ts.
 */

const LINES = [
  "node lib/runtime/install/install.mjs",
  "npm test -- lib/queue/holds.test.ts",
  "npm test -- tests/integration/queue/settle.test.ts",
  "npm test -- tests/integration/runtime/migrate.test.ts",
];

/** Runs a line as a developer's shell does, without this test runner's own variables. */
function runLine(line: string): Promise<{ code: number | null; output: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_ENV$)/.test(name)),
  );
  const child = spawn(line, { cwd: ROOT, env: env as NodeJS.ProcessEnv, shell: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}

describe("CONTRIBUTING.md", () => {
  test("contains the lines that are run here", () => {
    const text = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8").split("\n");
    expect(LINES.filter((line) => !text.includes(line))).toEqual([]);
  });

  test.each(LINES)(
    "shows a line that works: %s",
    async (line) => {
      const { code, output } = await runLine(line);
      expect(code, output).toBe(0);
    },
    180_000,
  );
});
