"use client";
import { dismissed, requeued } from "#components/words.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

export type Move = "requeue" | "mark-delivered" | "reject";

const done: Record<Move, string> = {
  requeue: requeued(1),
  "mark-delivered": "Marked as delivered",
  reject: dismissed(1),
};

export function useMove(move: Move) {
  return useMutation<number>((postId) => send(move, postId), {
    refresh: ["/curated*", "/stats*", "/posts*"],
    onDone: () => notifyDone(done[move]),
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
}

function send(move: Move, postId: number) {
  if (move === "reject") return apiFetch(`/posts/${postId}/reject`, { method: "POST" });
  return apiFetch(`/curated/${postId}/${move}`, { method: "POST" });
}
