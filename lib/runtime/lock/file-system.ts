import { readFileSync, statfsSync } from "node:fs";
import { hostname } from "node:os";

/** ext2 to ext4, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs. */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** Whether only one kernel can have this folder mounted. False when unknown. */
export function isOnLocalFileSystem(folder: string): boolean {
  return process.platform === "linux" && LOCAL.has(statfsSync(folder).type);
}

/** Identifies the running kernel: its boot on Linux, else the host. */
export function kernelId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return hostname();
  }
}
