import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "#lib/env.ts";
import { keptSecret, storeSecret } from "#lib/runtime/files.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import type { Secrets } from "./seal-secrets.ts";

const FILES = { AUTH_SECRET: "auth-secret", ENCRYPTION_KEY: "encryption-key" } as const;
const NAMES = ["AUTH_SECRET", "ENCRYPTION_KEY"] as const;
const LOST = {
  AUTH_SECRET: "everybody signs in again",
  ENCRYPTION_KEY: `tokens of other servers need the former key. Put it back, or set it as ENCRYPTION_KEY_OLD and run \`${commandLine("rotate-encryption-key")}\`; when it is lost, with --discard`,
} as const;

type Sources = Pick<Env, "AUTH_SECRET" | "ENCRYPTION_KEY" | "BACKUP_PASSPHRASE">;

/**
 * @returns null when no passphrase is set
 * @throws OperatorError when a passphrase is set and the secrets are not on this machine
 */
export function secretsToSeal(
  settings: Sources,
  dataDir: string,
): { secrets: Secrets; passphrase: string } | null {
  const passphrase = settings.BACKUP_PASSPHRASE;
  if (passphrase === undefined) return null;
  const find = (name: keyof Secrets) => {
    const secret = settings[name] ?? readSecret(dataDir, name);
    if (secret !== null) return secret;
    throw new OperatorError(
      `There is no ${FILES[name]} in ${dataDir}: set ${name}, or unset BACKUP_PASSPHRASE to leave the secrets out.`,
    );
  };
  return {
    secrets: { AUTH_SECRET: find("AUTH_SECRET"), ENCRYPTION_KEY: find("ENCRYPTION_KEY") },
    passphrase,
  };
}

/** @throws OperatorError when a file in the data folder differs from the backup */
export function refuseOtherSecrets(dataDir: string, secrets: Secrets): void {
  for (const name of NAMES) {
    const present = readSecret(dataDir, name);
    if (present === null || present === secrets[name]) continue;
    throw new OperatorError(
      `${path.join(dataDir, FILES[name])} differs from the backup: move it away to restore the backup's, or add --without-secrets to keep it. Nothing was changed.`,
    );
  }
}

/**
 * Creates the files of secrets that no setting gives.
 * @param secrets of the backup; null creates missing ones
 * @returns sentences for the operator
 */
export function restoreSecrets(settings: Sources, dataDir: string, secrets: Secrets | null): string[] {
  return NAMES.flatMap((name) => {
    const file = path.join(dataDir, FILES[name]);
    const setting = settings[name];
    if (secrets === null) {
      const isNew = setting === undefined && !existsSync(file);
      if (setting === undefined) keptSecret(file);
      return isNew ? [`A new ${FILES[name]} was created: ${LOST[name]}.`] : [];
    }
    if (setting === undefined) storeSecret(file, secrets[name]);
    else if (setting !== secrets[name])
      return [`${name} is set to another value than the backup's: ${LOST[name]}.`];
    return [];
  });
}

function readSecret(dataDir: string, name: keyof Secrets): string | null {
  const file = path.join(dataDir, FILES[name]);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
