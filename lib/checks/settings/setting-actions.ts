import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { ActionKindName } from "#lib/actions/schema.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";

type Fields = Record<string, Prisma.InputJsonValue | null>;

/** Settings by name, of which only those that somebody changed are stored. */
export interface SettingStore<F extends Fields> {
  kind: ActionKindName;
  /** Two changes at once happen one after the other. */
  lock: (tx: Tx) => Promise<unknown>;
  read: (tx: Tx) => Promise<Map<string, F>>;
  defaultsOf: (name: string) => F;
  /**
   * Writes the audit log too.
   *
   * @returns the fields as they are stored
   */
  write: (tx: Tx, actor: Actor, name: string, change: { before: F; after: F }) => Promise<F>;
}

/** `before` of an action has one for each setting that it changed. */
interface SettingChange {
  name: string;
  former: Fields;
  stored: Fields;
}

/** One action for all of them. A change to the present values writes nothing. */
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
    const changes: SettingChange[] = [];
    for (const [name, fields] of wanted) {
      const before = present(name);
      if (differing(before, fields).length === 0) continue;
      const after = await store.write(tx, actor, name, { before, after: fields });
      const keys = differing(before, after);
      changes.push({ name, former: pick(before, keys), stored: pick(after, keys) });
    }
    await recordAction(tx, actor, {
      kind: store.kind,
      changed: changes.reduce((sum, { stored }) => sum + Object.keys(stored).length, 0),
      details: { names: changes.map(({ name }) => name) },
      before: { changes: changes as unknown as Prisma.InputJsonArray },
    });
  });
}

/**
 * Restores the fields that are as the action left them. Defaults are then stored: hits of a check count anew
 * (stop-overruled.ts), as after every change.
 */
export function settingKind<F extends Fields>(store: SettingStore<F>): ActionKind {
  const keysToRestore = ({ name, stored }: SettingChange, now: ReadonlyMap<string, F>): string[] => {
    const differ = differing(stored, now.get(name) ?? store.defaultsOf(name));
    return Object.keys(stored).filter((key) => !differ.includes(key));
  };
  const outlookOf = (action: StoredAction, now: ReadonlyMap<string, F>): Outlook => {
    const restorable = changesOf(action).reduce((sum, each) => sum + keysToRestore(each, now).length, 0);
    return { restorable, limits: { changed_again: action.changed - restorable } };
  };
  return {
    scope: "manage",
    outlook: async (actions) => {
      const now = await store.read(db);
      return new Map(actions.map((action) => [action.id, outlookOf(action, now)]));
    },
    undo: async (tx, actor, action) => {
      await store.lock(tx);
      const now = await store.read(tx);
      for (const change of changesOf(action)) {
        const { name, former } = change;
        const keys = keysToRestore(change, now);
        if (keys.length === 0) continue;
        const before = now.get(name) ?? store.defaultsOf(name);
        await store.write(tx, actor, name, { before, after: { ...before, ...pick(former, keys) } });
      }
      const { restorable, limits } = outlookOf(action, now);
      return { restored: restorable, limits };
    },
  };
}

const changesOf = ({ before }: StoredAction) => (before as { changes: SettingChange[] }).changes;

/** Keys of `fields` with another value in `others`. */
function differing(fields: Fields, others: Fields): string[] {
  return Object.keys(fields).filter((key) => JSON.stringify(fields[key]) !== JSON.stringify(others[key]));
}

function pick(fields: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, fields[key] ?? null]));
}
