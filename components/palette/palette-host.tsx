"use client";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { setPaletteOpen, usePaletteOpen } from "./palette-store.ts";

/** Comes with its list and search when it is opened for the first time; no page pays for it before. */
const Palette = dynamic(() => import("./palette.tsx").then((module) => module.Palette), { ssr: false });

/** Listens for Ctrl-K (⌘K); stands once in the shell. */
export function PaletteHost() {
  const open = usePaletteOpen();
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.repeat) return;
      event.preventDefault();
      // Another window lies over the page and wants to be finished first; the palette's own press closes it.
      const others = document.querySelector("[role=dialog]:not([data-palette]), [role=alertdialog]");
      if (others === null) setPaletteOpen(document.querySelector("[data-palette]") === null);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return used ? <Palette open={open} onOpenChange={setPaletteOpen} /> : null;
}
