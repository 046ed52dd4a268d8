"use client";
import { CircleHelp } from "lucide-react";
import { useRef, useState } from "react";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";
import { lazyWithRetry } from "./lazy.tsx";

const FigurePopover = lazyWithRetry(() =>
  import("./figure-popover.tsx").then((module) => module.FigurePopover),
);

export interface FigureHelpProps {
  figure: FigureName;
  /** The figure's label on the screen. */
  label: string;
  className?: string | undefined;
}

/** Opens the definition of a figure. It loads when first opened. */
export function FigureHelp({ figure, label, className }: FigureHelpProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        data-definition={figure}
        aria-label={`Definition: ${label}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen((open) => !open)}
        className={cn(
          "inline-flex size-6 shrink-0 items-center justify-center rounded-sm align-middle text-muted hover:text-text pointer-coarse:size-11",
          className,
        )}
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </button>
      {isOpen ? <FigurePopover figure={figure} anchor={button} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
