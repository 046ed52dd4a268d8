import type { Actor } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import type { ActionKind, StoredAction } from "./action-kind.ts";
import { recordAction } from "./record-action.ts";
import type { ActionPreview } from "./schema.ts";

/* Actions that must forget content at once, so that no undo exists (docs/api.md#actions). */

export type Deletion = "cleanup" | "trim" | "retention" | "post" | "stream";

/** @param changes posts or entries of a preview */
export function noUndoWarning(changes: number): ActionPreview["warnings"] {
  return changes === 0 ? [] : [{ code: "no_undo", count: changes, detail: "This cannot be undone" }];
}

/** Shown by the history without an undo. `id` is the token of the preview. */
export async function recordDeletion(
  tx: Tx,
  actor: Actor,
  deletion: Deletion,
  {
    id,
    changed,
    details = {},
  }: { id: string | undefined; changed: number; details?: Prisma.InputJsonObject },
): Promise<void> {
  await recordAction(tx, actor, { id, kind: "deletion", changed, details: { deletion, ...details } });
}

const limitsOf = ({ changed }: StoredAction) => ({ final: changed });

export const deletionKind: ActionKind = {
  scope: "manage",
  outlook: (actions) =>
    Promise.resolve(
      new Map(actions.map((action) => [action.id, { restorable: 0, limits: limitsOf(action) }])),
    ),
  undo: (_tx, _principal, action) => Promise.resolve({ restored: 0, limits: limitsOf(action) }),
};
