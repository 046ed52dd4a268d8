// @ts-check
/* Whether the installed packages are those of package-lock.json. Runs on Node 20, as install.mjs. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
export const modules = path.join(root, "node_modules");
const stamp = path.join(modules, ".sluice-lock");
/** Added to the stamp without development packages. */
const PARTLY = " production";
const lockfile = path.join(root, "package-lock.json");

/** Leaves out development packages: a third less to download. */
export const isForProduction = process.argv.includes("--production");

function fingerprint() {
  const machine = `${process.platform} ${process.arch}`;
  return createHash("sha256").update(fs.readFileSync(lockfile)).update(machine).digest("hex");
}

export function isInstalled() {
  const wanted = fingerprint();
  try {
    const found = fs.readFileSync(stamp, "utf8");
    if (found === wanted || (isForProduction && found === wanted + PARTLY)) return true;
  } catch {
    // npm may have been run by hand.
  }
  if (!matchesLockfile()) return false;
  markInstalled();
  return true;
}

/** The stamp only saves time. */
export function markInstalled() {
  try {
    const wanted = fingerprint();
    fs.writeFileSync(stamp, isForProduction ? wanted + PARTLY : wanted);
  } catch (error) {
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
}

function matchesLockfile() {
  /** @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean,
   *   os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Entry */
  /** @type {Record<string, Entry>} */
  let wanted;
  /** @type {Record<string, Entry>} */
  let present;
  try {
    wanted = JSON.parse(fs.readFileSync(lockfile, "utf8")).packages;
    present = JSON.parse(fs.readFileSync(path.join(modules, ".package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  const ownOptional = Object.keys(wanted[""]?.optionalDependencies ?? {}).map(
    (name) => `node_modules/${name}`,
  );
  for (const [name, entry] of Object.entries(wanted)) {
    if (name === "") continue;
    const found = present[name];
    // The picture classifiers are for every machine; an older installation lacks them.
    const isForeignHere = isForeign(entry) && !(ownOptional.includes(name) && entry.os === undefined);
    const mayBeAbsent = isForeignHere || entry.devOptional || (isForProduction && entry.dev);
    if (
      found === undefined
        ? !mayBeAbsent
        : found.version !== entry.version || found.integrity !== entry.integrity
    ) {
      return false;
    }
  }
  return true;
}

/**
 * Only an optional package for exactly this machine must be present.
 * @param {{ optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} entry
 */
function isForeign({ optional, os: systems, cpu, libc }) {
  if (!optional) return false;
  return !systems?.includes(process.platform) || !cpu?.includes(process.arch) || libc !== undefined;
}
