"use client";
import { CornerUpLeft } from "lucide-react";
import { useId, useState } from "react";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import * as words from "#components/words/desk.ts";

const ParentBox = lazyWithRetry(
  () => import("./parent-box.tsx").then((module) => module.ParentBox),
  () => <p className="mt-2 animate-skeleton text-muted">{words.common.loading}</p>,
);

/** The parent is fetched on demand and not stored. */
export function ReplyLine({ postId, to }: { postId: number; to: string | null }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (to === null) return null;
  return (
    <div className="text-13">
      <p className="flex min-w-0 items-center gap-1.5 text-muted">
        <CornerUpLeft aria-hidden className="size-4 shrink-0" />
        <span>{words.post.reply}</span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="rounded-sm px-1 font-medium text-accent underline decoration-1 underline-offset-2 pointer-coarse:min-h-11"
        >
          {open ? words.post.hideParent : words.post.showParent}
        </button>
      </p>
      <div id={id} aria-live="polite">
        {open ? <ParentBox postId={postId} /> : null}
      </div>
    </div>
  );
}
