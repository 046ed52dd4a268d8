import { newId } from "#lib/client/new-id.ts";
import type { Decision } from "#lib/review/decision-schema.ts";

export interface DecisionDetails {
  /** Id of the reason, and its name for the history. */
  reject_reason?: number;
  reason?: string;
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
  { reject_reason, note, undoes, version }: DecisionDetails,
): Decision {
  return {
    id: newId(),
    post_id,
    decision,
    ...(reject_reason === undefined ? {} : { reject_reason }),
    ...(note ? { note } : {}),
    ...(undoes ? { undoes } : {}),
    ...(version === undefined ? {} : { version }),
    decided_at: new Date().toISOString(),
  };
}
