import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startProgram } from "#tests/setup/program.ts";
import packageJson from "../package.json" with { type: "json" };

/* Every script of package.json begins its work in a fresh clone: without build and without generated Prisma client. */

/** Arguments with which a script ends soon, and what it says then. */
const scripts: Record<string, { words: string[]; says: RegExp; settings?: Record<string, string> }> = {
  start: { words: ["--help"], says: /Settings are variables/ },
  dev: { words: ["--help"], says: /Settings are variables/ },
  build: { words: [], says: /Building the application/ },
  test: { words: ["--help"], says: /^Usage: npm test/m },
  check: { words: ["--help"], says: /^Usage: npm test/m },
  bench: { words: ["--only", "nothing"], says: /There is no group "nothing"/ },
  demo: { words: [], says: /PORT must be a whole number/, settings: { PORT: "70000" } },
  screenshots: { words: ["no-such-page"], says: /./, settings: { CHROMIUM_PATH: "/none" } },
  sluice: { words: ["help"], says: /^Usage: npm run sluice/m },
  package: { words: ["/dev/null/folder"], says: /ENOTDIR/ },
  mutants: { words: ["--list"], says: /only public posts are kept/ },
  lint: { words: ["--version"], says: /\d+\.\d+\.\d+/ },
  format: { words: ["--check"], says: /formatted/i },
};

let clone: string;

beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), "sluice-scripts-"));
  chmodSync(clone, 0o755);
  const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" });
  for (const name of sources.split("\0").filter((each) => each !== "" && existsSync(each)))
    cpSync(name, path.join(clone, name));
  // Hard links: a copy of 1.3 GB takes minutes.
  execFileSync("cp", ["-al", "node_modules", clone]);
  for (const name of [".sluice", ".cache"])
    rmSync(path.join(clone, "node_modules", name), { recursive: true, force: true });
  // Older than the packages.
  utimesSync(path.join(clone, "package-lock.json"), 0, 0);
  // A build takes minutes; what it makes does not matter here.
  const next = path.join(clone, "node_modules/next/dist/bin/next");
  rmSync(next);
  writeFileSync(next, 'require("node:fs").mkdirSync(".next/static", { recursive: true });');
}, 300_000);
afterAll(() => rmSync(clone, { recursive: true, force: true }), 120_000);
beforeEach(() => rmSync(path.join(clone, "prisma/generated"), { recursive: true, force: true }));

async function runScript(name: string): Promise<string> {
  const { words, settings = {} } = scripts[name] as (typeof scripts)[string];
  return (await startProgram("npm", ["run", name, "--", ...words], settings, { cwd: clone }).ended).output;
}

test.each(Object.keys(packageJson.scripts).filter((name) => !name.startsWith("pre")))(
  "npm run %s works in a fresh clone",
  async (name) => {
    const output = await runScript(name);
    expect(output).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find (module|package)/);
    expect(output).toMatch(scripts[name]?.says ?? /^$/);
  },
  300_000,
);
