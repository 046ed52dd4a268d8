import { authorise } from "#lib/auth/authenticate.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { inTransaction } from "#lib/transaction.ts";
import type { ActionKind, ActionKinds, UndoLimits, UndoOutcome } from "./action-kind.ts";
import { findAction } from "./find-action.ts";
import { describeLimits } from "./limits.ts";
import { actionRow, markUndoneRow, type ActionRow } from "./sql.ts";
import type { UndoResult } from "./schema.ts";

/** An action of thousands of posts is one transaction. */
const TIMEOUT_MS = 120_000;

/** Another request has undone the action meanwhile. */
class UndoneMeanwhile extends Error {}

/** Rolls back, so that the action can be undone later: a post may come back to the queue. */
class NothingRestored extends Error {
  readonly limits: UndoLimits;
  constructor(limits: UndoLimits) {
    super();
    this.limits = limits;
  }
}

/**
 * Undoes one of the caller's own actions. A repeated call gives the first answer again. Where nothing can be
 * restored, the action stays open and the answer says why.
 *
 * @throws action_not_found; action_undone: by another operation; scope_missing, role_forbidden
 */
export async function undoAction(principal: Principal, id: string, kinds: ActionKinds): Promise<UndoResult> {
  const action = await ownAction(principal, id, kinds);
  const kind = kinds[action.kind];
  refuseOthers(principal, kind);
  if (action.undone_at !== null) return earlierResult(action);
  try {
    const { after, ...outcome } = await inTransaction<UndoOutcome>(async (tx) => {
      // The domain locks posts and entries first, as the action did; the row of the action is locked last.
      const { after, ...outcome } = await kind.undo(tx, principal, action);
      if (outcome.restored === 0 && outcome.limits.edited === undefined)
        throw new NothingRestored(outcome.limits);
      if (!(await markUndoneRow(tx, action.id, outcome))) throw new UndoneMeanwhile();
      return { ...outcome, ...(after ? { after } : {}) };
    }, TIMEOUT_MS);
    await after?.();
    return resultOf(action, outcome);
  } catch (error) {
    if (error instanceof NothingRestored) return resultOf(action, { restored: 0, limits: error.limits });
    const current = await actionRow(db, principal, action.id);
    // The domain refuses a second undo with an error of its own.
    if (current !== null && current.undone_at !== null) return earlierResult(current);
    throw error;
  }
}

async function ownAction(principal: Principal, id: string, kinds: ActionKinds): Promise<ActionRow> {
  const action = await findAction(db, principal, id);
  if (action === null || action.changed === 0 || !(action.kind in kinds))
    throw new ApiError("action_not_found");
  return action;
}

/** An undo needs the rights that the action needed. */
export function refuseOthers(principal: Principal, kind: Pick<ActionKind, "scope">): void {
  authorise(principal, kind.scope);
}

function earlierResult(action: ActionRow): UndoResult {
  if (action.undo === null) throw new ApiError("action_undone");
  return resultOf(action, action.undo);
}

function resultOf(action: ActionRow, { restored, limits }: Omit<UndoOutcome, "after">): UndoResult {
  return { id: action.id, restored, limits: describeLimits(limits, action.changed) };
}
