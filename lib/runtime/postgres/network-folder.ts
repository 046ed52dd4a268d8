import { statfsSync } from "node:fs";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** NFS, SMB 1, CIFS, SMB 2 and 3, Ceph, AFS, Lustre, OCFS2, GFS2. */
const NETWORK_TYPES = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x7461636f, 0x01161970,
]);

/**
 * Another machine's locks and processes may be invisible on a network file system.
 * @param type of the file system, as on Linux
 */
export function refuseNetworkFolder(dataDir: string, type = statfsSync(dataDir).type): void {
  if (process.platform !== "linux" || !NETWORK_TYPES.has(type >>> 0)) return;
  throw new OperatorError(
    `DATA_DIR ${dataDir} is on a network file system, where a second machine could start the database on the same files: set DATA_DIR to a folder on a local disk, or set DATABASE_URL.`,
  );
}
