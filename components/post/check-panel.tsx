"use client";
import { EyeOff } from "lucide-react";
import { Sheet } from "#components/ui/dialog.tsx";
import { words } from "#components/words/en.ts";
import { CheckDetails } from "./check-details.tsx";
import { CheckResult, type Classified } from "./check-result.tsx";

export interface CheckPanelProps {
  post: Classified & { id: number };
  onClose: () => void;
  onChecked?: () => void;
}

export function CheckPanel({ post, onClose, onChecked }: CheckPanelProps) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.postChecks.title}
      description={words.postChecks.guide}
    >
      {post.advice_hidden ? (
        <div className="flex items-start gap-2 text-13">
          <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <div>
            <p className="font-medium">{words.postChecks.hiddenTitle}</p>
            <p className="mt-0.5 text-muted">{words.postChecks.hiddenText}</p>
          </div>
        </div>
      ) : (
        <div className="flex flex-col gap-5">
          <CheckResult post={post} reasons={false} />
          <CheckDetails postId={post.id} isBrief onChecked={onChecked} />
        </div>
      )}
    </Sheet>
  );
}
