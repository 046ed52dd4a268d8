import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";

/** `edited` has the new version of a card on top, if that is known. `refused` carries the server's sentence. */
export type Conflict =
  | { kind: "edited"; card?: DeckCard }
  | { kind: "leased" }
  | { kind: "deleted" }
  | { kind: "decided"; approved: boolean; by: string | null }
  | { kind: "refused"; detail: string };

export async function explainConflict(postId: number): Promise<Conflict> {
  try {
    const post = await apiFetch<PostDetail>(`/posts/${postId}`);
    if (post.approved === null) return { kind: "leased" };
    const line = post.history.findLast((each) => each.to !== null && each.to !== "unreviewed");
    return { kind: "decided", approved: post.approved, by: line?.actor ?? null };
  } catch (thrown) {
    const failure = asFailure(thrown);
    return failure.status === 404 ? { kind: "deleted" } : { kind: "refused", detail: failure.detail };
  }
}
