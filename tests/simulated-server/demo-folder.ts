import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface DemoFolder {
  dataDir: string;
  /** From an earlier demo in this folder. */
  kept: { port: number; key: string } | null;
  keep: (kept: { port: number; key: string }) => void;
  /** At the end of the demo. */
  remove: () => Promise<void>;
}

/**
 * A folder whose data outlives the demo. The simulated server keeps its port, because streams name it.
 *
 * @throws Error for data that is not a demo's
 */
export function openDemoFolder(dataDir: string): DemoFolder {
  const file = path.join(dataDir, "demo.json");
  const isOurs = existsSync(file);
  if (!isOurs && existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`DATA_DIR ${dataDir} holds data that the demo did not make: choose an empty folder.`);
  // At once, so that an interrupted first start can go on.
  mkdirSync(dataDir, { recursive: true });
  if (!isOurs) writeFileSync(file, "null\n", { mode: 0o600 });
  return {
    dataDir,
    kept: JSON.parse(readFileSync(file, "utf8")) as DemoFolder["kept"],
    keep: (kept) => writeFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 }),
    remove: () => Promise.resolve(),
  };
}
