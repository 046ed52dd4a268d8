import { Prisma, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";

export interface PostEvent {
  post_id: number;
  /** approve, reject, unreview, auto_reject, note, skip, requeue, mark_delivered, edit, … */
  action: string;
  /** unreviewed, rejected, pending, reserved, delivered, error */
  from_state?: string | null;
  to_state?: string | null;
  note?: string | null;
  details?: Prisma.InputJsonValue;
}

/**
 * Writes lines of the history. Call it in the transaction of the change.
 *
 * @param source `filter` when a rule decided; default: that of the actor
 */
export async function recordEvents(
  tx: Tx,
  actor: Actor,
  events: PostEvent[],
  source?: "filter",
): Promise<void> {
  await tx.post_event.createMany({
    data: events.map((event) => ({
      post_id: event.post_id,
      actor: actor.label,
      member_id: actor.member_id,
      api_key_id: actor.key_id,
      source: source ?? actor.source,
      action: event.action,
      from_state: event.from_state ?? null,
      to_state: event.to_state ?? null,
      note: event.note ?? null,
      details: event.details ?? Prisma.DbNull,
    })),
  });
}
