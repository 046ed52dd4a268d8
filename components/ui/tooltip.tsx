"use client";
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from "react";
import { lazyWithRetry } from "./lazy.tsx";

const TooltipBubble = lazyWithRetry(() =>
  import("./tooltip-bubble.tsx").then((module) => module.TooltipBubble),
);

export interface TooltipProps {
  /** Same as the element's accessible name. */
  content: ReactNode;
  children: ReactElement;
  kbd?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
}

/** Keyboard focus opens at once. */
const HOVER_MS = 400;
/** Time to move the pointer onto the tooltip. */
const GRACE_MS = 150;

/**
 * Only repeats other text, because touch screens have no hover. Radix loads with the first tooltip
 * (docs/decisions/0101-lazy-components.md).
 */
export function Tooltip({ content, children, kbd, side = "top" }: TooltipProps) {
  const [at, setAt] = useState<DOMRect | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = (element: Element, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAt(element.getBoundingClientRect()), wait);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAt(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span
      className="contents"
      onPointerOver={(event) => {
        // React events of the portal reach this element.
        clearTimeout(timer.current);
        // The wrapper has no box, because of display: contents.
        const thing = event.currentTarget.firstElementChild;
        if (event.pointerType === "mouse" && thing && at === null) show(thing, HOVER_MS);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(hide, GRACE_MS);
      }}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target.matches(":focus-visible")) show(event.target, 0);
      }}
      onBlur={hide}
    >
      {children}
      {at ? <TooltipBubble at={at} content={content} kbd={kbd} side={side} onClose={hide} /> : null}
    </span>
  );
}
