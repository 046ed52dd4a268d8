"use client";
import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./kbd.tsx";

export interface TooltipProps {
  content: ReactNode;
  /** One element that takes focus and a ref (a button, a link). */
  children: ReactElement;
  kbd?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
}

/** Words on hover and focus. Never the only place where something is said: touch has no hover. */
export function Tooltip({ content, children, kbd, side = "top" }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
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
  );
}

/** Holds the tooltips' timing; stands once around the page. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={400} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}
