"use client";
import { reject } from "#app/(console)/queue/actions.ts";
import { useUndoDecision } from "#components/review/undo.ts";
import { ActionButton } from "#components/ui/action-form.tsx";

/** Rejects a failed post, with undo. */
export function RejectButton({ postId, children }: { postId: number; children: string }) {
  const undo = useUndoDecision(postId);
  return (
    <ActionButton size="sm" action={reject} fields={{ id: postId }} undo={undo}>
      {children}
    </ActionButton>
  );
}
