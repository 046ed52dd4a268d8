import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { plural } from "#components/format.ts";
import { conflictText } from "#components/review/conflict-text.ts";
import { notifyUndo, undoBatch } from "#components/review/undo.ts";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { BatchCount, BatchRequest, BatchResult } from "#lib/review/batch-schema.ts";
import type { Post } from "#lib/review/post-schema.ts";

export type Verdict = BatchRequest["decision"];

/** A batch on posts of the page. */
export type BatchOrder = Pick<BatchRequest, "decision" | "reject_reason" | "shown"> & { post_ids: number[] };

/** After new posts appear, no batch starts for this long: a second click was meant for the previous posts. */
const REST_MS = 1500;

const batchDone = { approve: "approved", reject: "rejected" } as const;

export function countBatch(order: BatchOrder): Promise<BatchCount> {
  return apiFetch<BatchCount>("/review/batch?dry_run=true", { method: "POST", body: order });
}

/** Undo functions of this tab's decisions, the last one at the end. */
const undoStack: (() => void)[] = [];

export function undoLast(): void {
  const last = undoStack.at(-1);
  if (last === undefined) notifyInfo("Nothing to undo");
  else last();
}

/** Sends decisions on posts of a page. The page is rendered again after each. */
export function useDecisions(posts: readonly Post[]) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  // Posts of running requests, so that a repeated press does nothing.
  const underWay = useRef(new Set<number>());
  useEffect(() => {
    underWay.current.clear();
    const rest = setTimeout(() => setPending(false), REST_MS);
    return () => clearTimeout(rest);
  }, [posts]);

  /** @returns whether the server accepted it */
  const decide = async (order: BatchOrder, as_of?: string): Promise<boolean> => {
    const { post_ids, decision } = order;
    const isMany = post_ids.length > 1;
    if ((isMany && pending) || post_ids.some((id) => underWay.current.has(id))) return false;
    for (const id of post_ids) underWay.current.add(id);
    if (isMany) setPending(true);
    try {
      const path = withQuery("/review/batch", { as_of });
      const { batch_id, changed, unchanged } = await apiFetch<BatchResult>(path, {
        method: "POST",
        body: order,
      });
      const [first] = unchanged;
      const description =
        first &&
        `${plural(unchanged.length, "post", "posts")} could not be changed: ${conflictText({ kind: "refused", detail: first.detail })}`;
      if (changed === 0) notifyInfo("No changes needed", description);
      else {
        const undo = () => {
          const at = undoStack.indexOf(undo);
          if (at < 0) return;
          undoStack.splice(at, 1);
          const restored = (count: number) => `${plural(count, "post", "posts")} restored`;
          void notifyUndo(undoBatch(batch_id), restored, undo).then((result) => {
            if (result === "failed") undoStack.push(undo);
            router.refresh();
          });
        };
        undoStack.push(undo);
        notifyDone(`${plural(changed, "post", "posts")} ${batchDone[decision]}`, {
          undo,
          ...(description === undefined ? {} : { description }),
        });
      }
      return true;
    } catch (thrown) {
      for (const id of post_ids) underWay.current.delete(id);
      setPending(false);
      notifyFailed("No posts were changed", asFailure(thrown));
      return false;
    } finally {
      router.refresh();
    }
  };
  return { decide, pending };
}
