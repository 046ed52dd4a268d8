"use client";
import { undoById } from "#components/actions/undo-store.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { act } from "#lib/client/actions.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

export type Move = "requeue" | "mark-delivered" | "reject";

const done: Record<Move, string> = {
  requeue: words.queue.requeued(1),
  "mark-delivered": words.queue.markedDelivered,
  reject: words.queue.dismissed(1),
};

export function useMove(move: Move) {
  return useMutation<number, { id: string }>((postId) => send(move, postId), {
    refresh: ["/curated*", "/stats*", "/posts*"],
    onDone: ({ id }) => notifyDone(done[move], { undo: () => undoById(id) }),
    onFailed: (failure) => notifyFailed(words.queue.refused, failure),
  });
}

function send(move: Move, postId: number) {
  if (move === "reject") return act(`/posts/${postId}/reject`, { method: "POST" });
  return act(`/curated/${postId}/${move}`, { method: "POST" });
}
