import { useRouter } from "next/navigation";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { newId } from "#lib/client/new-id.ts";
import type { UndoResult } from "#lib/client/desk/store.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { DecisionResults } from "#lib/review/decision-schema.ts";

/** `detail`: why something was not restored. */
interface Undone {
  restored: number;
  detail?: string | undefined;
}

export async function undoBatch(id: string): Promise<Undone> {
  const { changed, unchanged } = await apiFetch<BatchResult>(`/review/batch/${id}/undo`, { method: "POST" });
  return { restored: changed, detail: unchanged[0]?.detail };
}

/** Undoes the last decision on a post. With the same `id` again it reaches no earlier one. */
export async function undoDecision(post_id: number, id: string): Promise<Undone> {
  const { results } = await apiFetch<DecisionResults>("/review/decisions", {
    method: "POST",
    body: { decisions: [{ id, post_id, decision: "undo" }] },
  });
  const { result } = results[0] ?? {};
  return { restored: result === "applied" || result === "repeated" ? 1 : 0, detail: results[0]?.detail };
}

/** Shows the result of an undo, and offers `again` when the server could not answer. Never throws. */
export async function notifyUndo(
  undo: Promise<Undone>,
  undone: (restored: number) => string,
  again: () => void,
): Promise<UndoResult> {
  try {
    const { restored, detail } = await undo;
    if (restored === 0) notifyInfo("Too late to undo", detail);
    else notifyDone(undone(restored), detail === undefined ? {} : { description: detail });
    return restored > 0 ? "restored" : "late";
  } catch (thrown) {
    const failure = asFailure(thrown);
    const isLate = failure.status === 404 || failure.status === 409;
    notifyFailed(isLate ? "Too late to undo" : "Undo failed", failure, isLate ? undefined : again);
    return isLate ? "late" : "failed";
  }
}

/** Takes back the last decision on a post, for a page of the server. */
export function useUndoDecision(postId: number): () => void {
  const router = useRouter();
  const undo = (id: string): void =>
    void notifyUndo(
      undoDecision(postId, id),
      () => "Previous decision restored",
      () => undo(id),
    ).then(() => router.refresh());
  return () => undo(newId());
}
