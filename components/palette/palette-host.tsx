import { Search } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { cn } from "#components/ui/cn.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { keyName } from "#lib/client/desk/keys.ts";
import { neverChanges, sharedState, useStore } from "#lib/client/use-store.ts";

const Palette = lazyWithRetry(
  () => import("./palette.tsx").then((module) => module.Palette),
  ({ open, onOpenChange }) => (open ? <LoadingNotice onClose={() => onOpenChange(false)} /> : null),
);

const shown = sharedState(false);
const setOpen = (open: boolean) => shown.setState(open);

export function PaletteHost() {
  const open = useStore(shown, false);
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (keyName(event) !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.repeat) return;
      event.preventDefault();
      // Stays closed while another dialog is open.
      const others = document.querySelector("[role=dialog]:not([data-palette]), [role=alertdialog]");
      if (others === null) setOpen(document.querySelector("[data-palette]") === null);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return used ? <Palette open={open} onOpenChange={setOpen} /> : null;
}

export function PaletteButton({ className }: { className?: string }) {
  const shortcut = useSyncExternalStore(
    neverChanges,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );
  return (
    <button
      type="button"
      title="Open a page, find posts, run a command"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => setOpen(true)}
      className={cn(
        "flex h-control-sm w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-13 text-muted transition-colors hover:text-text",
        className,
      )}
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 text-start">Find</span>
      <Kbd>{shortcut}</Kbd>
    </button>
  );
}
