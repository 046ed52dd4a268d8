import { handedOutError } from "#components/words.ts";
import type { Conflict } from "#lib/client/desk/history.ts";

/** Why a decision was not saved. */
export function conflictText(conflict: Conflict | null | undefined): string {
  if (!conflict) return "";
  if (conflict.kind === "leased") return "Another reviewer has this post now.";
  if (conflict.kind === "edited") return "The author has edited this post since you saw it.";
  if (conflict.kind === "deleted") return "This post was deleted, here or by its author.";
  if (conflict.kind === "decided")
    return `${conflict.approved ? "Approved" : "Rejected"} by ${conflict.by ?? "another reviewer"} meanwhile.`;
  // The API's 409 for a handed-out post.
  if (/^Post is in state '(reserved|delivered|error)'/.test(conflict.detail)) return handedOutError;
  return conflict.detail;
}

/** The effect of the next decision while the card on top has a conflict. */
export function moveOnText(conflict: Conflict): string {
  return conflict.kind === "edited"
    ? "Your next decision shows the new version."
    : "Your next decision moves on.";
}
