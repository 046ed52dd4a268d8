import { CircleHelp } from "lucide-react";
import { useId } from "react";
import { figures, type FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";
import { popover } from "./popover.ts";

export interface FigureHelpProps {
  figure: FigureName;
  /** The figure's label on the screen. */
  label: string;
  className?: string | undefined;
}

/** The figures whose label does not say how they are computed. */
const explained: ReadonlySet<FigureName> = new Set([
  "available",
  "approval_rate",
  "bot_last_seen",
  "runway_days",
]);

/** Opens the definition of a figure, without scripts. */
export function FigureHelp({ figure, label, className }: FigureHelpProps) {
  const id = useId();
  if (!explained.has(figure)) return null;
  const { name, definition } = figures[figure];
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        data-definition={figure}
        aria-label={`Definition: ${label}`}
        className={cn(
          "inline-flex size-6 shrink-0 items-center justify-center rounded-sm align-middle text-muted hover:text-text pointer-coarse:size-11",
          className,
        )}
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </button>
      <span
        id={id}
        popover="auto"
        role="note"
        aria-label={name}
        className={cn(
          popover,
          "w-80 max-w-[calc(100vw-1rem)] p-3 text-start text-13 font-normal whitespace-normal",
        )}
      >
        <span className="block font-semibold">{name}</span>
        <span className="mt-1 block">{definition}</span>
      </span>
    </>
  );
}
