"use client";
import { useEffect, useState } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { nameOf } from "#lib/client/desk/keys.ts";
import { setPaletteOpen, usePaletteOpen } from "./palette-store.ts";

const Palette = lazyWithRetry(
  () => import("./palette.tsx").then((module) => module.Palette),
  ({ open, onOpenChange }) => (open ? <LoadingNotice onClose={() => onOpenChange(false)} /> : null),
);

export function PaletteHost() {
  const open = usePaletteOpen();
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (nameOf(event) !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.repeat) return;
      event.preventDefault();
      // Stays closed while another dialog is open.
      const others = document.querySelector("[role=dialog]:not([data-palette]), [role=alertdialog]");
      if (others === null) setPaletteOpen(document.querySelector("[data-palette]") === null);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return used ? <Palette open={open} onOpenChange={setPaletteOpen} /> : null;
}
