"use client";
import { Popover as Radix } from "radix-ui";
import { useId, type RefObject } from "react";
import { figures, type FigureName } from "#lib/base/figures-schema.ts";

export interface FigurePopoverProps {
  figure: FigureName;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

export function FigurePopover({ figure, anchor, onClose }: FigurePopoverProps) {
  const id = useId();
  const { name, formula, population, time } = figures[figure];
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          aria-labelledby={id}
          sideOffset={4}
          collisionPadding={8}
          // The click on the button closes it.
          onInteractOutside={(event) => {
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] animate-fade-in rounded-lg border border-line bg-raised p-3 text-start text-13 text-text shadow-hairline"
        >
          <p id={id} className="font-semibold">
            {name}
          </p>
          <p className="mt-1">{formula}</p>
          <dl className="mt-2 grid grid-cols-[max-content_1fr] gap-x-3 gap-y-1 text-12">
            <dt className="text-muted">Counts</dt>
            <dd>{population}</dd>
            <dt className="text-muted">Time</dt>
            <dd>{time}</dd>
          </dl>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
