import { execFile } from "node:child_process";
import { copyFileSync, globSync, mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeFolder } from "./setup/folder.ts";
import { describeWithModels } from "./setup/models.ts";
import config from "../next.config.mjs";

const ROOT = path.resolve(import.meta.dirname, "..");
const SCRIPT = `
  const { answerOf } = await import(${JSON.stringify(path.join(ROOT, "lib/checks/pictures/models.ts"))});
  const { scores, problem } = await answerOf(new Uint8Array(224 * 224 * 3));
  console.log(problem ?? Object.keys(scores).length);`;

describeWithModels("the files of the picture classifier", () => {
  it("in the function that checks pictures on Vercel are enough to run it", { timeout: 60_000 }, async () => {
    const folder = makeFolder();
    const files = globSync(config.outputFileTracingIncludes?.["/api/cron/tick"] ?? [], { cwd: ROOT });
    for (const file of files) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      copyFileSync(path.join(ROOT, file), path.join(folder, file));
    }
    const node = [
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SCRIPT],
    ] as const;
    const { stdout } = await promisify(execFile)(...node, { cwd: folder });
    expect(stdout).toBe("5\n");
  });
});
