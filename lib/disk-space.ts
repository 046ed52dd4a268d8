import { statfsSync } from "node:fs";
import { env } from "./env.ts";

/** Bytes on the file system of DATA_DIR; null where there is no such folder, as on Vercel. */
export function diskSpace(folder = env().DATA_DIR): { free: number; size: number } | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
