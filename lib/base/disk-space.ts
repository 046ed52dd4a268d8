import { statfsSync } from "node:fs";
import { env } from "./env.ts";

export interface DiskSpace {
  /** Bytes, as `size`. */
  free: number;
  size: number;
}

const MIN_FREE = 2 * 2 ** 30;

/** Space on the file system of DATA_DIR; null where there is no such folder, as on Vercel. */
export function diskSpace(): DiskSpace | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(env().DATA_DIR);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}

/** Whether less than 2 GiB, or less than a twentieth of the disk, is free. */
export function isDiskNearlyFull({ free, size }: DiskSpace): boolean {
  return free < MIN_FREE || free < size / 20;
}
