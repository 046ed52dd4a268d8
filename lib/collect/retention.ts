import { recordAudit } from "#lib/accounts/record-audit.ts";
import { now, toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { inTransaction, retryLockConflict } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { countExpired, deleteExpired, deleteHistory } from "./retention-sql.ts";
import {
  keptKinds,
  type KeptDays,
  type KeptKind,
  type Retention,
  type RetentionUpdate,
} from "./retention-schema.ts";

const BATCH = 1000;
const LINES = 10_000;
const where = { id: 1 };

const daysOf = (kind: KeptKind, settings: KeptDays) => settings[`${kind}_days`];

export async function getRetention(): Promise<Retention> {
  const { times, ...settings } = await readSettings(db);
  return describe(db, settings, times);
}

/** The answer that `updateRetention` would give; nothing is stored. */
export async function previewRetention(change: RetentionUpdate): Promise<Retention> {
  const { times, ...settings } = await readSettings(db);
  return describe(db, { ...settings, ...definedOf(change) }, times);
}

/**
 * The next daily cleanup applies it. A request that changes nothing writes no audit line.
 */
export async function updateRetention(actor: Actor, change: RetentionUpdate): Promise<Retention> {
  await inTransaction(async (tx) => {
    const wanted = definedOf(change);
    await tx.$executeRaw`SELECT FROM retention_setting FOR UPDATE`;
    const { times: _times, ...before } = await readSettings(tx);
    const changed = (Object.keys(wanted) as (keyof KeptDays)[]).filter(
      (name) => wanted[name] !== before[name],
    );
    if (changed.length === 0) return;
    await tx.retention_setting.update({ where, data: { ...wanted, updated_at: now() } });
    const pick = (from: Partial<KeptDays>) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordAudit(tx, actor, {
      action: "retention.update",
      subject: "Days that posts and history are kept",
      before: pick(before),
      after: pick(wanted),
    });
  });
  return getRetention();
}

/**
 * Deletes posts and history lines older than the days of their kind, in short transactions, and none before `starts_at`. Each
 * post leaves a tombstone; all-time counts do not change.
 *
 * @param deadline stops between two batches; `complete` is false then
 * @returns number of posts
 */
export async function deleteExpiredRows(
  actor: Actor,
  deadline: Date,
): Promise<{ deleted: number; complete: boolean }> {
  const { times, ...settings } = await readSettings(db);
  let deleted = 0;
  if (times.starts_at > now()) return { deleted, complete: true };
  for (const kind of keptKinds) {
    const days = daysOf(kind, settings);
    if (days === null) continue;
    const done = await deleteKind(kind, days, deadline);
    if (kind !== "history") deleted += done.deleted;
    if (done.deleted > 0) {
      await recordAudit(db, actor, {
        action: "posts.cleanup",
        subject: `${kind === "history" ? "history of deleted" : kind} posts older than ${days} days`,
        after: { deleted: done.deleted },
      });
    }
    if (!done.complete) return { deleted, complete: false };
  }
  return { deleted, complete: true };
}

async function deleteKind(
  kind: KeptKind,
  days: number,
  deadline: Date,
): Promise<{ deleted: number; complete: boolean }> {
  let deleted = 0;
  const [limit, deleteBatch] =
    kind === "history"
      ? [LINES, () => deleteHistory(days, LINES)]
      : [
          BATCH,
          async () => {
            const ids = await deleteExpired(kind, days, BATCH);
            await forgetPictures(ids);
            return ids.length;
          },
        ];
  while (Date.now() < deadline.getTime()) {
    const n = await retryLockConflict(deleteBatch);
    deleted += n;
    if (n < limit) return { deleted, complete: true };
  }
  return { deleted, complete: false };
}

interface Times {
  updated_at: Date;
  starts_at: Date;
}

async function readSettings(tx: Tx): Promise<KeptDays & { times: Times }> {
  const {
    id: _id,
    updated_at,
    starts_at,
    ...settings
  } = await tx.retention_setting.findUniqueOrThrow({ where });
  return { ...settings, times: { updated_at, starts_at } };
}

function definedOf(days: RetentionUpdate): Partial<KeptDays> {
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined));
}

async function describe(tx: Tx, settings: KeptDays, times: Times): Promise<Retention> {
  const counted = await Promise.all(
    keptKinds.map(async (kind) => {
      const days = daysOf(kind, settings);
      return [kind, days === null ? 0 : await countExpired(tx, kind, days)] as const;
    }),
  );
  return {
    delivered_days: env().RETENTION_DAYS,
    ...settings,
    would_delete: Object.fromEntries(counted) as Record<KeptKind, number>,
    updated_at: toIso(times.updated_at),
    starts_at: toIso(times.starts_at),
  };
}
