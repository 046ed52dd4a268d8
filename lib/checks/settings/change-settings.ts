import type { Actor } from "#lib/auth/principal.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";

type Fields = Record<string, Prisma.InputJsonValue | null>;

/** Settings by name, of which only those that somebody changed are stored. */
export interface SettingStore<F extends Fields> {
  /** Two changes at once happen one after the other. */
  lock: (tx: Tx) => Promise<unknown>;
  read: (tx: Tx) => Promise<Map<string, F>>;
  defaultsOf: (name: string) => F;
  /** Writes the audit log too. */
  write: (tx: Tx, actor: Actor, name: string, change: { before: F; after: F }) => Promise<void>;
}

/** A change to the present values writes nothing. */
export async function changeSettings<F extends Fields>(
  actor: Actor,
  store: SettingStore<F>,
  edits: readonly { name: string; edit: (before: F) => F }[],
): Promise<void> {
  await db.$transaction(async (tx) => {
    await store.lock(tx);
    const now = await store.read(tx);
    const present = (name: string) => now.get(name) ?? store.defaultsOf(name);
    const wanted = new Map<string, F>();
    for (const { name, edit } of edits) wanted.set(name, edit(wanted.get(name) ?? present(name)));
    for (const [name, after] of wanted) {
      const before = present(name);
      if (JSON.stringify(before) !== JSON.stringify(after))
        await store.write(tx, actor, name, { before, after });
    }
  });
}
