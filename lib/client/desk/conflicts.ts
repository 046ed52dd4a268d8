import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import type { Conflict } from "./history.ts";
import type { DecisionOutcome } from "./outbox.ts";

/** Why the server did not apply a decision. */
export function conflictOf({
  result,
  code,
  detail,
}: Pick<DecisionOutcome, "result" | "code" | "detail">): Conflict {
  if (result === "not_found") return { kind: "deleted" };
  return code === "edited" ? { kind: "edited" } : { kind: "refused", detail: detail ?? "" };
}

/**
 * Finds out why the card on top is no longer on this desk.
 *
 * @returns null for a card that only the filters no longer match, as after its checks: it is decided as it is
 */
export async function explainConflict({ id, lease_expires_at }: DeckCard): Promise<Conflict | null> {
  try {
    const post = await apiFetch<PostDetail>(`/posts/${id}`);
    if (post.approved === null) return Date.parse(lease_expires_at) > Date.now() ? null : { kind: "leased" };
    const line = post.history.findLast((each) => each.to !== null && each.to !== "unreviewed");
    return { kind: "decided", approved: post.approved, by: line?.actor ?? null };
  } catch (thrown) {
    const failure = asFailure(thrown);
    return failure.status === 404 ? { kind: "deleted" } : { kind: "refused", detail: failure.detail };
  }
}
