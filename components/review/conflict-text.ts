import * as words from "#components/words/desk.ts";
import type { Conflict } from "#lib/desk/conflict.ts";

/** Why a decision did not come about, or can no longer be changed, in one plain sentence. */
export function conflictText(loss: Conflict | null | undefined): string {
  if (!loss) return "";
  if (loss.kind === "leased") return words.review.metLeased;
  if (loss.kind === "deleted") return words.review.gone;
  if (loss.kind === "decided") return words.review.metBy(loss.approved, loss.by);
  // The API's 409 for a post that is with a consumer, or was.
  if (/^Post is in state '(reserved|delivered|error)'/.test(loss.detail)) return words.review.handedOut;
  return loss.detail;
}
