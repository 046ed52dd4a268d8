"use client";
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from "react";
import { lazyWithRetry } from "./lazy.tsx";

const TooltipBubble = lazyWithRetry(() =>
  import("./tooltip-bubble.tsx").then((module) => module.TooltipBubble),
);

export interface TooltipProps {
  /** The same words as the accessible name of what it stands beside. */
  content: ReactNode;
  /** One element that takes focus (a button, a link). */
  children: ReactElement;
  kbd?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
}

/** Milliseconds a pointer rests before words appear; at once for the focus of a keyboard. */
const REST = 400;
/** Milliseconds to get from the thing to the words. */
const GRACE = 150;

/**
 * Words on hover and focus. Never the only place where something is said: touch has no hover. What places them comes
 * with the first one that is shown; no page pays for it before.
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
        // Over the words too: they are a part of this, wherever they are drawn.
        clearTimeout(timer.current);
        // The wrapper has no box of its own.
        const thing = event.currentTarget.firstElementChild;
        if (event.pointerType === "mouse" && thing && at === null) show(thing, REST);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        timer.current = setTimeout(hide, GRACE);
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
