"use client";
import { Check, SkipForward, Undo2, X } from "lucide-react";
import { useCallback } from "react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { Lightbox, type LightboxProps } from "#components/post/lightbox.tsx";
import { Button } from "#components/ui/button.tsx";
import * as words from "#components/words/desk.ts";
import { keySign, readPress, type KeyAction, type Press } from "#lib/desk/keys.ts";

export interface PictureViewProps extends Omit<LightboxProps, "onKey" | "children"> {
  canUndo: boolean;
  onPress: (press: Press, at: number) => void;
}

/** Actions of the desk that work in the enlarged view. They close it: the next post is shown whole first. */
const allowed: ReadonlySet<KeyAction> = new Set(["approve", "reject", "skip", "undo", "enlarge"]);

export function PictureView({ canUndo, onPress, ...view }: PictureViewProps) {
  const { onClose } = view;
  const keys = useDeskKeyMap();
  const press = useCallback(
    (pressed: Press, at: number) => {
      onClose();
      if (!("action" in pressed && pressed.action === "enlarge")) onPress(pressed, at);
    },
    [onClose, onPress],
  );
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      const pressed = readPress(event, keys);
      if (!pressed || ("action" in pressed && !allowed.has(pressed.action))) return;
      event.preventDefault();
      press(pressed, event.timeStamp);
    },
    [keys, press],
  );
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
        aria-label={words.review.decide}
        className="flex shrink-0 justify-center gap-2 border-t border-line px-3 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      >
        <Button variant="reject" icon={<X aria-hidden />} {...button("reject")}>
          {words.review.reject}
        </Button>
        <Button icon={<Undo2 aria-hidden />} aria-disabled={!canUndo || undefined} {...button("undo")}>
          {words.review.undo}
        </Button>
        <Button icon={<SkipForward aria-hidden />} {...button("skip")}>
          {words.review.skip}
        </Button>
        <Button variant="approve" icon={<Check aria-hidden />} {...button("approve")}>
          {words.review.approve}
        </Button>
      </div>
    </Lightbox>
  );
}
