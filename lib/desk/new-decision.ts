import { newId } from "#lib/client/new-id.ts";
import type { Decision } from "#lib/review/decision-schema.ts";

export interface DecisionDetails {
  reason?: string | null;
  note?: string | null;
  /** For an undo: the id of the decision. */
  undoes?: string;
  /** Of the post that was read. */
  version?: number | undefined;
}

/** For the outbox, made now. */
export function newDecision(
  post_id: number,
  decision: Decision["decision"],
  { reason, note, undoes, version }: DecisionDetails,
): Decision {
  return {
    id: newId(),
    post_id,
    decision,
    ...(reason ? { reason } : {}),
    ...(note ? { note } : {}),
    ...(undoes ? { undoes } : {}),
    ...(version === undefined ? {} : { version }),
    decided_at: new Date().toISOString(),
  };
}
