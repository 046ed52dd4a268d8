import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { openDemoFolder } from "./simulated-server/demo-folder.ts";

const folders: string[] = [];
const makeFolder = () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-demo-folder-"));
  folders.push(folder);
  return folder;
};
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

it("keeps its data, and the port and key of the demo that made it", async () => {
  const dataDir = path.join(makeFolder(), "new");
  const first = openDemoFolder(dataDir);
  expect(first.kept).toBeNull();
  first.keep({ port: 4000, key: "slc_a" });
  await first.remove();
  expect(openDemoFolder(dataDir).kept).toEqual({ port: 4000, key: "slc_a" });
});

it("goes on after an interrupted first start", () => {
  const dataDir = makeFolder();
  openDemoFolder(dataDir);
  writeFileSync(path.join(dataDir, "auth-secret"), "x");
  expect(openDemoFolder(dataDir).kept).toBeNull();
});

it("leaves other data alone", () => {
  const dataDir = makeFolder();
  writeFileSync(path.join(dataDir, "auth-secret"), "x");
  expect(() => openDemoFolder(dataDir)).toThrow("holds data that the demo did not make");
  expect(readdirSync(dataDir)).toEqual(["auth-secret"]);
});
