import { existsSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import type { Env } from "#lib/env.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { seal, unseal } from "#lib/seal.ts";
import { keptSecret } from "./files.ts";
import { connectToMigrate } from "./postgres/connect.ts";
import { OperatorError } from "./terminal.ts";

/* Everything in the database that is encrypted with ENCRYPTION_KEY: the check at each start, and the change of the key. */

type SealedValue = {
  /** Authenticated data of the encryption. */
  host: string;
  sealed: Buffer;
};

async function sealedValues(client: pg.Client): Promise<SealedValue[]> {
  const { rows } = await client.query<SealedValue>(
    "SELECT host, token AS sealed FROM host_state WHERE token IS NOT NULL",
  );
  return rows;
}

function unreadableOf(values: SealedValue[], key: string): SealedValue[] {
  return values.filter(({ host, sealed }) => unseal(key, host, sealed) === null);
}

/** Such as "2 tokens of other servers". */
export function describeSealed({ length }: SealedValue[]): string {
  if (length === 0) return "nothing";
  return length === 1 ? "1 token of another server" : `${length} tokens of other servers`;
}

const COMMAND = commandLine("rotate-encryption-key");
const WHEN_LOST = `When that key is lost, \`${COMMAND} --discard\` removes them, and they have to be made again.`;

/**
 * Refuses a start whose key does not decrypt the database's secrets. Creates the key of a new installation. Call it after
 * the migrations.
 * @throws OperatorError that says what is encrypted with another key
 */
export async function settleEncryptionKey(
  directUrl: string,
  dataDir: string,
  settings: Pick<Env, "ENCRYPTION_KEY">,
): Promise<void> {
  const file = path.join(dataDir, "encryption-key");
  const client = await connectToMigrate(directUrl);
  try {
    const values = await sealedValues(client);
    if (settings.ENCRYPTION_KEY === undefined && !existsSync(file) && values.length > 0) {
      throw new OperatorError(
        `The database has ${describeSealed(values)}, but ${dataDir} has no encryption-key: put that file back, or set ENCRYPTION_KEY. ${WHEN_LOST}`,
      );
    }
    const key = settings.ENCRYPTION_KEY ?? keptSecret(file);
    const unreadable = unreadableOf(values, key);
    if (unreadable.length > 0) {
      throw new OperatorError(
        `${settings.ENCRYPTION_KEY === undefined ? file : "ENCRYPTION_KEY"} is another key than the one that encrypted ${describeSealed(unreadable)}: put that key back, or set it as ENCRYPTION_KEY_OLD and run \`${COMMAND}\`. ${WHEN_LOST}`,
      );
    }
  } finally {
    await client.end();
  }
}

export type Rotation = { rotated: SealedValue[]; current: SealedValue[]; discarded: SealedValue[] };

/**
 * Encrypts everything again, in one transaction. Values that `to` decrypts stay, so it can be repeated.
 * @param keys `from` is undefined when the former key is lost
 * @throws OperatorError when neither key decrypts a value, unless it may be discarded
 */
export async function rotateEncryptionKey(
  directUrl: string,
  keys: { from: string | undefined; to: string },
  { mayDiscard }: { mayDiscard: boolean },
): Promise<Rotation> {
  const { from, to } = keys;
  const client = await connectToMigrate(directUrl);
  try {
    await client.query("BEGIN; LOCK TABLE host_state IN SHARE ROW EXCLUSIVE MODE");
    const done: Rotation = { rotated: [], current: [], discarded: [] };
    for (const value of await sealedValues(client)) {
      const { host, sealed } = value;
      if (unseal(to, host, sealed) !== null) {
        done.current.push(value);
        continue;
      }
      const text = from === undefined ? null : unseal(from, host, sealed);
      await store(client, value, text === null ? null : seal(to, host, text));
      done[text === null ? "discarded" : "rotated"].push(value);
    }
    if (done.discarded.length > 0 && !mayDiscard) {
      throw new OperatorError(
        `${from === undefined ? "ENCRYPTION_KEY does not decrypt" : "Neither ENCRYPTION_KEY_OLD nor ENCRYPTION_KEY decrypts"} ${describeSealed(done.discarded)}. Nothing was changed. ${WHEN_LOST}`,
      );
    }
    await client.query("COMMIT");
    return done;
  } finally {
    // Also rolls back.
    await client.end();
  }
}

async function store(client: pg.Client, value: SealedValue, sealed: Uint8Array | null): Promise<void> {
  await client.query("UPDATE host_state SET token = $1 WHERE host = $2", [
    sealed === null ? null : Buffer.from(sealed),
    value.host,
  ]);
}
