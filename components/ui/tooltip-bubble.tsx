"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

export interface TooltipBubbleProps {
  /** Where the thing stands that is explained. */
  at: DOMRect;
  content: ReactNode;
  kbd?: string | undefined;
  side: "top" | "right" | "bottom" | "left";
  onClose: () => void;
}

/** The words themselves. They stand beside a copy of the thing's frame: the thing itself was drawn long before. */
export function TooltipBubble({ at, content, kbd, side, onClose }: TooltipBubbleProps) {
  const { left, top, width, height } = at;
  return (
    <Radix.Provider>
      <Radix.Root open onOpenChange={(open) => !open && onClose()}>
        <Radix.Trigger asChild>
          <span
            aria-hidden
            className="pointer-events-none fixed block"
            style={{ left, top, width, height }}
          />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 flex max-w-72 animate-fade-in items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-12 text-text shadow-hairline"
          >
            {content}
            {kbd ? <Kbd>{kbd}</Kbd> : null}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
