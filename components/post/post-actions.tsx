"use client";
import { Check, CheckCheck, RotateCcw, Trash2, Undo2, X } from "lucide-react";
import { decide, removePost } from "#app/(console)/posts/actions.ts";
import { markDelivered, requeue } from "#app/(console)/queue/actions.ts";
import { useUndoDecision } from "#components/review/undo.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { ActionButton, useAction } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import type { PostFile } from "#lib/review/deck-schema.ts";

const verdicts = {
  unreview: { label: "Back to unreviewed", icon: <Undo2 aria-hidden />, variant: "quiet" },
  reject: { label: "Reject", icon: <X aria-hidden />, variant: "reject" },
  approve: { label: "Approve", icon: <Check aria-hidden />, variant: "approve" },
} as const;
type Verdict = keyof typeof verdicts;

/** Reject is left and approve right, as at the desk. On phones they are at the bottom of the screen. */
export function PostActions({ post }: { post: PostFile }) {
  const mayReview = useCan("reviewer");
  const mayManage = useCan("admin");
  const undo = useUndoDecision(post.id);
  const decision = useAction(decide, { undo });
  if (!mayReview) return null;
  const fields = { id: post.id };
  const failed = post.queue_status === "error";
  const offered = verdictsFor(post);
  return (
    <>
      {mayManage ? (
        <ActionButton
          action={removePost}
          fields={fields}
          aria-label="Delete this post"
          ask="The post, its pictures and its place in the queue are deleted, without undo. Its history stays in the log. It is not fetched again."
          variant="ghost"
          icon={<Trash2 aria-hidden />}
        >
          Delete
        </ActionButton>
      ) : null}
      {failed && mayManage ? (
        <ActionButton action={requeue} fields={fields} icon={<RotateCcw aria-hidden />}>
          Requeue
        </ActionButton>
      ) : null}
      {failed ? (
        <ActionButton action={markDelivered} fields={fields} icon={<CheckCheck aria-hidden />}>
          Mark as delivered
        </ActionButton>
      ) : null}
      {offered.length === 0 ? null : (
        <div
          role="group"
          aria-label="Decide"
          data-thumb-bar=""
          className="flex gap-2 max-desk:fixed max-desk:inset-x-0 max-desk:bottom-[calc(3.5rem+1px+env(safe-area-inset-bottom))] max-desk:z-20 max-desk:border-t max-desk:border-line max-desk:bg-surface max-desk:px-3 max-desk:py-2"
        >
          {offered.map((verdict) => {
            const { label, ...look } = verdicts[verdict];
            return (
              <Button
                key={verdict}
                {...look}
                pending={decision.pending}
                onClick={() => decision.send({ ...fields, version: post.version, verdict })}
                className="max-desk:h-14 max-desk:min-w-0 max-desk:flex-1 max-desk:basis-0 max-desk:px-2 max-desk:text-16 max-desk:whitespace-normal slim:text-14"
              >
                {label}
              </Button>
            );
          })}
        </div>
      )}
    </>
  );
}

function verdictsFor({ queue_status: queue, approved, erased_at }: PostFile): Verdict[] {
  if (queue === "reserved" || queue === "delivered") return [];
  if (queue === "error") return ["reject"];
  const decided: Verdict[] = approved === true ? ["unreview", "reject"] : ["unreview", "approve"];
  const offered: Verdict[] = approved === null ? ["reject", "approve"] : decided;
  // An erased post can only be rejected.
  return erased_at === null ? offered : offered.filter((verdict) => verdict === "reject");
}
