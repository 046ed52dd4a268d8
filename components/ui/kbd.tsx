import type { ReactNode } from "react";
import { cn } from "./cn.ts";

export interface KbdProps {
  children: ReactNode;
  tone?: "plain" | "on";
  className?: string;
}

/** A key. Hidden from screen readers, which get it from `aria-keyshortcuts` of the control. */
export function Kbd({ children, tone = "plain", className }: KbdProps) {
  return (
    <kbd
      aria-hidden
      className={cn(
        "inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border px-1 font-sans text-12 leading-none",
        "font-medium pointer-coarse:hidden",
        tone === "on" ? "border-current opacity-80" : "border-line bg-wash text-muted",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
