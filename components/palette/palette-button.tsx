"use client";
import { Search } from "lucide-react";
import { useSyncExternalStore } from "react";
import { cn } from "#components/ui/cn.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { neverChanges } from "#lib/client/use-store.ts";
import { setPaletteOpen } from "./palette-store.ts";

function useShortcut(): string {
  return useSyncExternalStore(
    neverChanges,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );
}

export function PaletteButton({ onOpen, className }: { onOpen?: () => void; className?: string }) {
  const shortcut = useShortcut();
  return (
    <button
      type="button"
      title="Open a page, find a post, run a command"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => {
        onOpen?.();
        setPaletteOpen(true);
      }}
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
