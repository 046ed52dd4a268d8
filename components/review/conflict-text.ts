import * as words from "#components/words/desk.ts";
import type { Conflict } from "#lib/client/desk/conflict.ts";

export function conflictText(conflict: Conflict | null | undefined): string {
  if (!conflict) return "";
  if (conflict.kind === "leased") return words.review.conflictLeased;
  if (conflict.kind === "edited") return conflict.card ? words.review.editedOnTop : words.review.editedSince;
  if (conflict.kind === "deleted") return words.review.gone;
  if (conflict.kind === "decided") return words.review.conflictBy(conflict.approved, conflict.by);
  // The API's 409 for a handed-out post.
  if (/^Post is in state '(reserved|delivered|error)'/.test(conflict.detail)) return words.review.handedOut;
  return conflict.detail;
}

/** Effect of a decision key while the card on top has a conflict. */
export function moveOnText(conflict: Conflict | null): string {
  return conflict?.kind === "edited" ? words.review.editedShow : words.review.lostMoveOn;
}
