import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "#lib/runtime/terminal.ts";

/** For files that an account of its own cannot reach in the folders of root. */
export const OUTSIDE = "/var/lib/sluice";

/** Account of the database server when Sluice runs as root. */
export type Account = { uid: number; gid: number };

const ACCOUNT_NAME = "postgres";

/**
 * @param dataFolder its owner is used when it exists
 * @returns null when Sluice does not run as root
 * @throws OperatorError when the account cannot be created
 */
export async function databaseAccount(dataFolder: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookUp() ?? create();
}

/** @param target absolute path; missing parts count as reachable */
export async function canReach(target: string, account: Account): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const found = await stat(folder).catch(() => null);
    if (found !== null) {
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (folder === path.dirname(folder)) return true;
  }
}

function lookUp(): Account | null {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, ACCOUNT_NAME], { encoding: "utf8" }));
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

function create(): Account {
  // shadow-utils, then busybox; the second one refuses an account that exists.
  const system = ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", ACCOUNT_NAME];
  spawnSync("useradd", system, { stdio: "ignore" });
  spawnSync("adduser", ["-S", "-D", "-H", "-s", "/bin/false", ACCOUNT_NAME], { stdio: "ignore" });
  const account = lookUp();
  if (account !== null) return account;
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and no account "${ACCOUNT_NAME}" could be created for it: start Sluice as an ordinary user, or set DATABASE_URL.`,
  );
}
