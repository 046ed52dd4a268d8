"use client";
import { Popover as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./cn.ts";

export interface PopoverProps {
  trigger: ReactElement;
  children: ReactNode;
  /** Label of the panel for screen readers. */
  label: string;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

/** A small panel beside its button. */
export function Popover({
  trigger,
  children,
  label,
  align = "start",
  side,
  className,
  ...root
}: PopoverProps) {
  return (
    <Radix.Root {...root}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          {...(side ? { side } : {})}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            "z-50 w-72 max-w-[calc(100vw-1rem)] animate-rise-in rounded-lg border border-line bg-raised p-3 shadow-hairline focus-visible:outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
