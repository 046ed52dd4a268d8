import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shareChunks } from "./share-chunks.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "sluice-chunks-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function addChunk(name: string, code: string): void {
  writeFileSync(path.join(folder, name), `${code}\n\n//# sourceMappingURL=${name}.map`);
  writeFileSync(path.join(folder, `${name}.map`), "{}");
}

test("copies of a chunk refer to the first one, and their source maps are removed", async () => {
  addChunk("a.js", "module.exports=[1,()=>'one']");
  addChunk("b.js", "module.exports=[1,()=>'one']");
  addChunk("c.js", "module.exports=[2,()=>'two']");
  expect(await shareChunks(folder)).toBe(1);
  expect(readdirSync(folder)).toEqual(["a.js", "a.js.map", "b.js", "c.js", "c.js.map"]);
  const load = createRequire(path.join(folder, "index.js"));
  expect(load("./b.js")).toBe(load("./a.js"));
  expect(load("./c.js")).not.toBe(load("./a.js"));
  expect(await shareChunks(folder)).toBe(0);
});

test("files that are no chunks stay", async () => {
  for (const name of ["runtime-a.js", "runtime-b.js"]) addChunk(name, "const runtime = 1;");
  expect(await shareChunks(folder)).toBe(0);
  expect(readFileSync(path.join(folder, "runtime-b.js"), "utf8")).toContain("const runtime");
});
