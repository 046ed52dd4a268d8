"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

export interface TooltipBubbleProps {
  at: DOMRect;
  content: ReactNode;
  kbd?: string | undefined;
  onClose: () => void;
}

/** Anchored to a copy of the element's frame, because the element was rendered before Radix loaded. */
export function TooltipBubble({ at, content, kbd, onClose }: TooltipBubbleProps) {
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
            side="top"
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
