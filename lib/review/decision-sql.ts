import type { Tx } from "#lib/db.ts";

export interface StoredOutcome {
  /** `edited`: a conflict, because the post was edited after it was shown. */
  result: "applied" | "conflict" | "edited" | "not_found";
  detail: string | null;
}

/**
 * Claims the id of a decision. Concurrent requests with the same id wait for this transaction.
 *
 * @returns null when the id is new, else the stored result
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

/** Stores the outcome of a claimed decision, so that a repeated request gets the same answer. */
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

export interface OpenDecisionRow {
  id: string;
  post_id: number;
  decision: "approve" | "reject" | "unreview" | "skip";
  before_approved: boolean | null;
  reviewed_at: Date | null;
}

/** Whether an edit was stored after this time. */
export async function wasEditedAfter(tx: Tx, postId: number, time: string): Promise<boolean> {
  const line = await tx.post_event.findFirst({
    where: { post_id: postId, action: "edit", at: { gt: time } },
    select: { id: true },
  });
  return line !== null;
}

/** The lease holder's last decision on a post that was applied and not undone, locked. */
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

/** Null: no such decision. */
export async function decidedPost(tx: Tx, id: string): Promise<number | null> {
  const row = await tx.review_decision.findUnique({ where: { id }, select: { post_id: true } });
  return row?.post_id ?? null;
}

/** A decision on a post's page or in a list. */
export async function insertDecision(
  tx: Tx,
  holder: string,
  decision: {
    id: string;
    post_id: number;
    decision: "approve" | "reject" | "unreview";
    before_approved: boolean | null;
    reviewed_at: Date | null;
  },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO review_decision (id, post_id, holder, decision, at, result, before_approved, reviewed_at)
    VALUES (${decision.id}::uuid, ${decision.post_id}, ${holder}, ${decision.decision}, clock_timestamp(), 'applied',
            ${decision.before_approved}::boolean, ${decision.reviewed_at}::timestamptz)`;
}

export async function markUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE review_decision SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`;
}

/** For a decision that is current again after a later one was undone. */
export async function moveDecision(tx: Tx, id: string, reviewedAt: Date): Promise<void> {
  await tx.$executeRaw`UPDATE review_decision SET reviewed_at = ${reviewedAt}::timestamptz WHERE id = ${id}::uuid`;
}
