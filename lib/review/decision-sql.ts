import type { Tx } from "#lib/db.ts";

/** What the first sending of a decision came to. */
export interface StoredOutcome {
  result: "applied" | "conflict" | "not_found";
  detail: string | null;
}

/**
 * Claims a decision's id. Null: it is new, and others who send the same id wait for this transaction. Otherwise
 * what the first time came to. The provisional result is never seen: it is written over before the commit.
 */
export async function startDecision(
  tx: Tx,
  holder: string,
  decision: { id: string; post_id: number; decision: string; decided_at?: string | null | undefined },
): Promise<StoredOutcome | null> {
  const inserted = await tx.$executeRaw`
    INSERT INTO review_decision (id, post_id, holder, decision, decided_at, result)
    VALUES (${decision.id}::uuid, ${decision.post_id}, ${holder}, ${decision.decision}, ${decision.decided_at ?? null}::timestamptz, 'not_found')
    ON CONFLICT (id) DO NOTHING`;
  if (inserted === 1) return null;
  const rows = await tx.$queryRaw<
    StoredOutcome[]
  >`SELECT result, detail FROM review_decision WHERE id = ${decision.id}::uuid`;
  return rows[0] ?? null;
}

/** Keeps what a decision came to, for whoever sends it again and for an undo. */
export async function finishDecision(
  tx: Tx,
  id: string,
  outcome: {
    result: StoredOutcome["result"];
    detail?: string;
    before_approved?: boolean | null;
    reviewed_at?: Date | null;
  },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE review_decision
       SET result = ${outcome.result}, detail = ${outcome.detail ?? null}, at = clock_timestamp(),
           before_approved = ${outcome.before_approved ?? null}::boolean,
           reviewed_at = ${outcome.reviewed_at ?? null}::timestamptz
     WHERE id = ${id}::uuid`;
}

/** A decision that can be taken back. */
export interface OpenDecisionRow {
  id: string;
  post_id: number;
  decision: "approve" | "reject" | "skip";
  before_approved: boolean | null;
  reviewed_at: Date | null;
}

/** A reviewer's last decision on a post that was applied and is not undone yet. */
export async function lastDecisionRow(
  tx: Tx,
  holder: string,
  postId: number,
): Promise<OpenDecisionRow | null> {
  const rows = await tx.$queryRaw<OpenDecisionRow[]>`
    SELECT id, post_id, decision, before_approved, reviewed_at FROM review_decision
     WHERE holder = ${holder} AND post_id = ${postId} AND result = 'applied' AND decision <> 'undo' AND undone_at IS NULL
     ORDER BY at DESC LIMIT 1 FOR UPDATE`;
  return rows[0] ?? null;
}

export async function markUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE review_decision SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`;
}

/** A decision that stands again after a later one was undone: the post says so as of `reviewedAt`. */
export async function moveDecision(tx: Tx, id: string, reviewedAt: Date): Promise<void> {
  await tx.$executeRaw`UPDATE review_decision SET reviewed_at = ${reviewedAt}::timestamptz WHERE id = ${id}::uuid`;
}
