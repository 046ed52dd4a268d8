"use client";
import type { ReactNode } from "react";
import { Button, type ButtonVariant } from "#components/ui/button.tsx";
import { useMove, type Move } from "./use-move.ts";

export function MoveButton({
  move,
  postId,
  children,
  variant,
}: {
  move: Move;
  postId: number;
  children: ReactNode;
  variant?: ButtonVariant;
}) {
  const { run, pending } = useMove(move);
  return (
    <Button size="sm" variant={variant} pending={pending} onClick={() => void run(postId)}>
      {children}
    </Button>
  );
}
