import { existsSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import type { Env } from "#lib/env.ts";
import { commandLine } from "#lib/runtime/release/release.ts";
import { derivedFeedSecret, FEEDS, seal, unseal } from "#lib/seal.ts";
import { keptSecret } from "./files.ts";
import { connectToMigrate } from "./postgres/connect.ts";
import { OperatorError } from "./terminal.ts";

/* Everything in the database that is encrypted with ENCRYPTION_KEY: the check at each start, and the change of the key. */

type SealedValue = {
  table: "host_state" | "installation";
  column: "token" | "feed_secret";
  /** Primary key. */
  id: string;
  /** Authenticated data of the encryption. */
  context: string;
  sealed: Buffer;
};

const PRIMARY_KEY = { host_state: "host", installation: "id" } as const;

/** Without API keys there are no feeds. */
async function sealedValues(client: pg.Client): Promise<SealedValue[]> {
  const { rows } = await client.query<SealedValue>(
    `SELECT 'host_state' AS "table", 'token' AS "column", host AS id, host AS context, token AS sealed
       FROM host_state WHERE token IS NOT NULL
     UNION ALL SELECT 'installation', 'feed_secret', id::text, $1, feed_secret
       FROM installation WHERE feed_secret IS NOT NULL AND EXISTS (SELECT FROM api_key)`,
    [FEEDS],
  );
  return rows;
}

export function isOfFeeds({ column }: SealedValue): boolean {
  return column === "feed_secret";
}

function unreadableOf(values: SealedValue[], key: string): SealedValue[] {
  return values.filter(({ context, sealed }) => unseal(key, context, sealed) === null);
}

/** Such as "2 tokens of other servers and the secret of the feed addresses". */
export function describeSealed(values: SealedValue[]): string {
  const count = (columns: string[], noun: string, plural: string) => {
    const n = values.filter(({ column }) => columns.includes(column)).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? noun : plural}`];
  };
  const parts = [
    ...count(["token"], "token of another server", "tokens of other servers"),
    ...(values.some(isOfFeeds) ? ["the secret of the feed addresses"] : []),
  ];
  const last = parts.pop() ?? "nothing";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** For the column `feed_secret`: the addresses that belong to the key `of`, readable with the key `to`. */
function sealedFeedSecret(of: string, to: string): Uint8Array {
  return seal(to, FEEDS, derivedFeedSecret(of));
}

const COMMAND = commandLine("rotate-encryption-key");
const WHEN_LOST = `When that key is lost, \`${COMMAND} --discard\` removes them, and they have to be made again.`;

/**
 * Refuses a start whose key does not decrypt the database's secrets. Creates the key of a new installation. Call it after
 * the migrations.
 * @throws OperatorError that says what is encrypted with another key
 */
export async function settleEncryptionKey(
  ownerUrl: string,
  dataDir: string,
  settings: Pick<Env, "ENCRYPTION_KEY">,
): Promise<void> {
  const file = path.join(dataDir, "encryption-key");
  const client = await connectToMigrate(ownerUrl);
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
    // Feeds show a change of the key from now on.
    await client.query(
      "UPDATE installation SET feed_secret = $1 WHERE feed_secret IS NULL OR NOT EXISTS (SELECT FROM api_key)",
      [Buffer.from(sealedFeedSecret(key, key))],
    );
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
  ownerUrl: string,
  keys: { from: string | undefined; to: string },
  { mayDiscard }: { mayDiscard: boolean },
): Promise<Rotation> {
  const { from, to } = keys;
  const client = await connectToMigrate(ownerUrl);
  try {
    await client.query("BEGIN; LOCK TABLE host_state, installation IN SHARE ROW EXCLUSIVE MODE");
    const done: Rotation = { rotated: [], current: [], discarded: [] };
    for (const value of await sealedValues(client)) {
      const { context, sealed } = value;
      if (unseal(to, context, sealed) !== null) {
        done.current.push(value);
        continue;
      }
      const text = from === undefined ? null : unseal(from, context, sealed);
      await store(client, value, text === null ? replacement(value, to) : seal(to, context, text));
      done[text === null ? "discarded" : "rotated"].push(value);
    }
    if (done.discarded.length > 0 && !mayDiscard) {
      throw new OperatorError(
        `${from === undefined ? "ENCRYPTION_KEY does not decrypt" : "Neither ENCRYPTION_KEY_OLD nor ENCRYPTION_KEY decrypts"} ${describeSealed(done.discarded)}. Nothing was changed. ${WHEN_LOST}`,
      );
    }
    // Until the first start of this version, the addresses of feeds are derived from the key itself.
    if (from !== undefined)
      await client.query("UPDATE installation SET feed_secret = $1 WHERE feed_secret IS NULL", [
        Buffer.from(sealedFeedSecret(from, to)),
      ]);
    await client.query("COMMIT");
    return done;
  } finally {
    // Also rolls back.
    await client.end();
  }
}

/** In place of a value that nobody can decrypt. */
function replacement(value: SealedValue, key: string): Uint8Array | null {
  if (isOfFeeds(value)) return sealedFeedSecret(key, key);
  return null;
}

async function store(client: pg.Client, value: SealedValue, sealed: Uint8Array | null): Promise<void> {
  const { table, column, id } = value;
  await client.query(`UPDATE ${table} SET ${column} = $1 WHERE ${PRIMARY_KEY[table]}::text = $2`, [
    sealed === null ? null : Buffer.from(sealed),
    id,
  ]);
}
