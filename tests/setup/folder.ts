import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/**
 * A folder that the account of the database can reach.
 *
 * @param after of the test, or `afterAll` outside of tests: the folder is removed then
 */
export function makeFolder(after: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-folder-"));
  chmodSync(folder, 0o711);
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
