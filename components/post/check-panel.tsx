"use client";
import { Sheet } from "#components/ui/dialog.tsx";
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
      title="Checks of this post"
      description="Advice only. You decide."
    >
      <div className="flex flex-col gap-5">
        <CheckResult post={post} reasons={false} />
        <CheckDetails post={post} isBrief onChecked={onChecked} />
      </div>
    </Sheet>
  );
}
