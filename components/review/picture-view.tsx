"use client";
import { Check, SkipForward, Undo2, X } from "lucide-react";
import { Lightbox, type LightboxProps } from "#components/post/lightbox.tsx";
import { Button } from "#components/ui/button.tsx";
import { keySign, type Press } from "#lib/client/desk/keys.ts";
import { useDialogKeys } from "./use-dialog-keys.ts";

export interface PictureViewProps extends Omit<LightboxProps, "onKey" | "children"> {
  canUndo: boolean;
  onPress: (press: Press, at: number) => void;
}

export function PictureView({ canUndo, onPress, ...view }: PictureViewProps) {
  const { onClose } = view;
  const { keys, press, onKey } = useDialogKeys({ opener: "enlarge", onPress, onClose });
  const button = (action: "approve" | "reject" | "skip" | "undo") => ({
    // On a phone all four fit into one row.
    className: "max-desk:flex-1 max-desk:px-2 max-desk:[&_kbd]:hidden max-desk:[&>svg]:hidden",
    ...(keys ? { kbd: keySign(keys[action]) } : {}),
    onClick: ({ timeStamp }: { timeStamp: number }) => {
      if (canUndo || action !== "undo") press({ action }, timeStamp);
    },
  });
  return (
    <Lightbox {...view} onKey={onKey}>
      <div
        role="group"
        aria-label="Decide"
        className="flex shrink-0 justify-center gap-2 border-t border-line px-3 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      >
        <Button variant="reject" icon={<X aria-hidden />} {...button("reject")}>
          Reject
        </Button>
        <Button icon={<Undo2 aria-hidden />} aria-disabled={!canUndo || undefined} {...button("undo")}>
          Undo
        </Button>
        <Button icon={<SkipForward aria-hidden />} {...button("skip")}>
          Skip
        </Button>
        <Button variant="approve" icon={<Check aria-hidden />} {...button("approve")}>
          Approve
        </Button>
      </div>
    </Lightbox>
  );
}
