"use client";
import { Flag } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import * as words from "#components/words/desk.ts";
import type { SuggestBlockProps } from "./suggest-dialog.tsx";

const SuggestDialog = lazyWithRetry(
  () => import("./suggest-dialog.tsx").then((module) => module.SuggestDialog),
  LoadingNotice,
);

/** For members who may review and not block. */
export function SuggestBlock(props: SuggestBlockProps) {
  const [mayReview, mayManage] = [useCan("reviewer"), useCan("admin")];
  const [open, setOpen] = useState(false);
  if (!mayReview || mayManage) return null;
  return (
    <>
      <Button size="sm" icon={<Flag aria-hidden />} onClick={() => setOpen(true)}>
        {words.post.suggestBlock}
      </Button>
      {open ? <SuggestDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
