import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { ROOT } from "./architecture/source-files.ts";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const workflow = read(".github/workflows/release.yml");

it("the version, the newest release of the CHANGELOG and the tag of this commit agree", () => {
  const [, newest] = /^## \[(\d[^\]]*)\] - \d{4}-\d{2}-\d{2}$/m.exec(read("CHANGELOG.md")) ?? [];
  expect(packageJson.version).toBe(newest);
  const tags = execFileSync("git", ["-C", ROOT, "tag", "--points-at", "HEAD", "v*"], { encoding: "utf8" });
  expect(["", `v${packageJson.version}\n`]).toContain(tags);
});

it("the workflow of a release runs for version tags, and names scripts and test files that exist", () => {
  expect(workflow).toMatch(/^on:\n {2}push:\n {4}tags: \["v\*"\]$/m);
  const scripts = [...workflow.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(scripts).toContain("package");
  expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  const files = [...workflow.matchAll(/\bnpm test -- (\S+)/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(read(file)).not.toBe("");
});

it("a release has archives and images for both processors, checksums and a list of packages", () => {
  for (const words of ["sha256sum", "npm sbom", "gh release create", "docker build ", "imagetools create"])
    expect(workflow).toContain(words);
  expect(workflow.match(/ubuntu-24\.04-arm\b/g)).toHaveLength(2);
});
