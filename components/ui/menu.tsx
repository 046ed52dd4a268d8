import { Ellipsis } from "lucide-react";
import { useId, type ReactNode } from "react";
import { buttonClass } from "./button.tsx";
import { cn } from "./cn.ts";
import { popover } from "./popover.ts";

/** A native popover. An action closes it and returns the focus to the button. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        className={buttonClass("quiet", "md", "aspect-square px-0")}
      >
        <Ellipsis aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        onClick={(event) => event.currentTarget.hidePopover()}
        className={cn(popover, "min-w-48 animate-rise-in p-1")}
      >
        {children}
      </div>
    </>
  );
}

export interface MenuItemProps {
  children: ReactNode;
  icon: ReactNode;
  onSelect: () => void;
}

export function MenuItem({ children, icon, onSelect }: MenuItemProps) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className="flex min-h-control-sm w-full items-center gap-2 rounded-sm px-2 py-1 text-14 hover:bg-wash focus-visible:-outline-offset-2 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      {icon}
      {children}
    </button>
  );
}
