import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import type { ReserveOptions } from "./sql.ts";

export type ReserveKind = "oldest" | "random" | "topical" | "topical_random";

const EVERY = 10 * 60_000;
const noted = new Map<ReserveKind, number>();

/** Stores which kinds of reservations are in use, for the source checks ahead of them. Not awaited. */
export function noteReserveKind(options: ReserveOptions): void {
  for (const kind of kindsOf(options)) {
    if (Date.now() - (noted.get(kind) ?? 0) < EVERY) continue;
    noted.set(kind, Date.now());
    db.queue_use
      .upsert({ where: { kind }, create: { kind }, update: { used_at: new Date() }, select: { kind: true } })
      .catch((error: unknown) => log.warn({ err: error, kind }, "kind of reservation not stored"));
  }
}

/** A call that prefers topical posts falls back to all posts unless it is `topical_only`. */
function kindsOf({ random, include_topical, topical_only }: ReserveOptions): ReserveKind[] {
  const plain = random ? "random" : "oldest";
  const topical = random ? "topical_random" : "topical";
  if (!include_topical) return [plain];
  return topical_only ? [topical] : [topical, plain];
}
