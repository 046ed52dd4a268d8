import { isTyping } from "#lib/client/desk/keys.ts";
import { useCallback, useRef, useState, type PointerEvent } from "react";

/** A shorter movement is a tap. */
const MIN_SWIPE_PX = 12;

export interface Swipe {
  /** Pixels, negative to the left. */
  dx: number;
  /** 1 is the threshold. */
  progress: number;
  /** Releasing now decides. */
  armed: boolean;
}

const rest: Swipe = { dx: 0, progress: 0, armed: false };

/** A swipe decides beyond a third of the card's width, at least 96 pixels. */
export function useSwipe(onSwipe: (side: "left" | "right") => void, enabled: boolean) {
  const [swipe, setSwipe] = useState(rest);
  const touch = useRef<{ id: number; x: number; y: number; width: number; swiping: boolean } | null>(null);

  const end = useCallback(() => {
    touch.current = null;
    setSwipe(rest);
  }, []);
  const threshold = (width: number) => Math.max(96, width / 3);

  return {
    swipe,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!enabled || event.pointerType !== "touch" || !event.isPrimary) return;
        // The slider of a player, and dialogs of the card: React passes their events on to it.
        const { target, currentTarget } = event;
        if (isTyping(target) || !currentTarget.contains(target as Node)) return;
        const { width } = currentTarget.getBoundingClientRect();
        touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY, width, swiping: false };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = touch.current;
        if (from?.id !== event.pointerId) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (!from.swiping) {
          if (Math.abs(dy) > MIN_SWIPE_PX) return end();
          if (Math.abs(dx) < MIN_SWIPE_PX) return;
          from.swiping = true;
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        const progress = Math.min(1, Math.abs(dx) / threshold(from.width));
        setSwipe((before) => {
          const armed = progress === 1;
          if (armed && !before.armed && "vibrate" in navigator) navigator.vibrate(10);
          return { dx, progress, armed };
        });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const from = touch.current;
        if (from?.id !== event.pointerId) return;
        const dx = event.clientX - from.x;
        const decided = from.swiping && Math.abs(dx) >= threshold(from.width);
        end();
        if (decided) onSwipe(dx < 0 ? "left" : "right");
      },
      onPointerCancel: end,
    },
  };
}
