import { z } from "zod";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { now, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { setting } from "#lib/base/setting.ts";
import { inTransaction, retryLockConflict } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { countExpired, deleteExpired, deleteHistory } from "./retention-sql.ts";
import {
  keptDays,
  keptKinds,
  type KeptDays,
  type KeptKind,
  type Retention,
  type RetentionUpdate,
} from "./retention-schema.ts";

const BATCH = 1000;
const LINES = 10_000;
const retention = setting("retention", z.object(keptDays));

const daysOf = (kind: KeptKind, settings: KeptDays) => settings[`${kind}_days`];

export async function getRetention(): Promise<Retention> {
  return describe(await retention.readRow());
}

/** The answer that `updateRetention` would give; nothing is stored. */
export async function previewRetention(change: RetentionUpdate): Promise<Retention> {
  const row = await retention.readRow();
  return describe({ ...row, value: { ...row.value, ...definedOf(change) } });
}

/**
 * The next daily cleanup applies it. A request that changes nothing writes no audit line.
 */
export async function updateRetention(actor: Actor, change: RetentionUpdate): Promise<Retention> {
  await inTransaction(async (tx) => {
    const wanted = definedOf(change);
    const before = await retention.lock(tx);
    const changed = (Object.keys(wanted) as (keyof KeptDays)[]).filter(
      (name) => wanted[name] !== before[name],
    );
    if (changed.length === 0) return;
    await retention.set(wanted, tx);
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
 * Deletes posts and history lines older than the days of their kind, in short transactions, and none before the row was made. Each
 * post leaves a tombstone; all-time counts do not change.
 *
 * @param deadline stops between two batches; `complete` is false then
 * @returns number of posts
 */
export async function deleteExpiredRows(
  actor: Actor,
  deadline: Date,
): Promise<{ deleted: number; complete: boolean }> {
  const { value: settings, created_at } = await retention.readRow();
  let deleted = 0;
  if (created_at > now()) return { deleted, complete: true };
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

function definedOf(days: RetentionUpdate): Partial<KeptDays> {
  return Object.fromEntries(Object.entries(days).filter(([, value]) => value !== undefined));
}

async function describe(row: Awaited<ReturnType<typeof retention.readRow>>): Promise<Retention> {
  const counted = await Promise.all(
    keptKinds.map(async (kind) => {
      const days = daysOf(kind, row.value);
      return [kind, days === null ? 0 : await countExpired(db, kind, days)] as const;
    }),
  );
  return {
    delivered_days: env().RETENTION_DAYS,
    ...row.value,
    would_delete: Object.fromEntries(counted) as Record<KeptKind, number>,
    updated_at: toIso(row.updated_at),
    starts_at: toIso(row.created_at),
  };
}
