import path from "node:path";
import type { Env } from "#lib/env.ts";
import { openDataFolder } from "#lib/runtime/data-folder.ts";
import { describeSealed, rotateEncryptionKey, type Rotation } from "#lib/runtime/encryption-key.ts";
import { keptSecret } from "#lib/runtime/files.ts";
import { lockDataDir } from "#lib/runtime/lock/data-lock.ts";
import { openCommandDatabase } from "#lib/runtime/postgres/access.ts";
import { requireDatabaseOfSources } from "#lib/runtime/postgres/compare-sources.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError, say, step } from "#lib/runtime/terminal.ts";
import { requireDatabase } from "./file-commands.ts";

/**
 * @returns for --json: numbers of values
 * @throws OperatorError
 */
export async function rotateKey(options: { mayDiscard: boolean }, settings: Env): Promise<object> {
  const from = settings.ENCRYPTION_KEY_OLD;
  if (from === undefined && !options.mayDiscard) {
    throw new OperatorError("Set ENCRYPTION_KEY_OLD to the former key. When it is lost, add --discard.");
  }
  const dataDir = await openDataFolder(settings, say);
  requireDatabase(settings, dataDir);
  // A running service has the former key in memory.
  (await lockDataDir(dataDir, "command")).release();
  const { directUrl, stop } = await openCommandDatabase(settings, { mayLackSecrets: true });
  try {
    await requireDatabaseOfSources(directUrl, false);
    await migrate(directUrl);
    const to = settings.ENCRYPTION_KEY ?? keptSecret(path.join(dataDir, "encryption-key"));
    if (from === to)
      throw new OperatorError("ENCRYPTION_KEY_OLD is the present key: set a new ENCRYPTION_KEY.");
    const rotation = await step("Encrypting again", () =>
      rotateEncryptionKey(directUrl, { from, to }, options),
    );
    for (const sentence of describe(rotation)) say(sentence);
    return { rotated: rotation.rotated.length, discarded: rotation.discarded.length };
  } finally {
    await stop();
  }
}

function describe({ rotated, discarded }: Rotation): string[] {
  const sentences = [
    `Encrypted with the new key: ${describeSealed(rotated)}.`,
    ...(discarded.length === 0 ? [] : [`Discarded: ${describeSealed(discarded)}.`]),
  ];
  return [
    sentences.join(" "),
    ...(discarded.length > 0 ? ["Enter the tokens again under Settings → Servers."] : []),
    "Start every instance with the new key, then unset ENCRYPTION_KEY_OLD. Older backups need the former key.",
  ];
}
