"use client";
import { formatCount, plural } from "#components/format.ts";
import { AlertDialog } from "#components/ui/dialog.tsx";
import type { BatchCount } from "#lib/review/batch-schema.ts";
import type { BatchOrder } from "./use-decisions.ts";

export interface BatchQuestion {
  order: BatchOrder;
  counted: BatchCount;
  /** Left out of the order. */
  unseen: number;
}

export function BatchDialog({
  question: { order, counted, unseen },
  onConfirm,
  onClose,
}: {
  question: BatchQuestion;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const verb = order.decision === "approve" ? "Approve" : "Reject";
  const { changed, unchanged } = counted;
  return (
    <AlertDialog
      open
      tone={order.decision === "approve" ? "primary" : "danger"}
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${plural(changed, "post", "posts")}?`}
      description={
        <>
          <p>One undo restores all of them.</p>
          {unseen === 0 ? null : (
            <p className="mt-1 text-warn">
              {plural(unseen, "post is", "posts are")} left out, because not all pictures have been on the
              screen uncovered.
            </p>
          )}
          {unchanged.length === 0 ? null : (
            <p className="mt-1">
              {plural(unchanged.length, "post stays as it is", "posts stay as they are")}:{" "}
              {unchanged[0]?.detail}
            </p>
          )}
        </>
      }
      confirm={`${verb} ${formatCount(changed)}`}
      onConfirm={onConfirm}
    />
  );
}
