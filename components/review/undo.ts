import { useRouter } from "next/navigation";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { newId } from "#lib/client/new-id.ts";
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

/** Undoes the last decision on a post. */
export async function undoDecision(post_id: number): Promise<Undone> {
  const { results } = await apiFetch<DecisionResults>("/review/decisions", {
    method: "POST",
    body: { decisions: [{ id: newId(), post_id, decision: "undo" }] },
  });
  return { restored: results[0]?.result === "applied" ? 1 : 0, detail: results[0]?.detail };
}

/** Shows the result of an undo. Never throws. @returns whether something was restored */
export async function notifyUndo(
  undo: Promise<Undone>,
  undone: (restored: number) => string,
): Promise<boolean> {
  try {
    const { restored, detail } = await undo;
    if (restored === 0) notifyInfo("Too late to undo", detail);
    else notifyDone(undone(restored), detail === undefined ? {} : { description: detail });
    return restored > 0;
  } catch (thrown) {
    notifyFailed("Too late to undo", asFailure(thrown));
    return false;
  }
}

/** Takes back the last decision on a post, for a page of the server. */
export function useUndoDecision(postId: number): () => void {
  const router = useRouter();
  return () =>
    void notifyUndo(undoDecision(postId), () => "Previous decision restored").then(() => router.refresh());
}
