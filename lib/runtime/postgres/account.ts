import { execFileSync } from "node:child_process";
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
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    return null;
  }
}

function idOf(flag: "-u" | "-g"): number {
  const output = execFileSync("id", [flag, ACCOUNT_NAME], { stdio: ["ignore", "pipe", "ignore"] });
  const id = Number.parseInt(output.toString(), 10);
  if (!Number.isInteger(id)) throw new Error("id printed no number");
  return id;
}

function create(): Account {
  // shadow-utils, then busybox.
  const attempts: [string, string[]][] = [
    ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", ACCOUNT_NAME]],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", ACCOUNT_NAME]],
  ];
  for (const [command, parameters] of attempts) {
    try {
      execFileSync(command, parameters, { stdio: "ignore" });
    } catch {
      continue;
    }
    const account = lookUp();
    if (account !== null) return account;
  }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and no account "${ACCOUNT_NAME}" could be created for it: start Sluice as an ordinary user, or set DATABASE_URL.`,
  );
}
