"use client";
import { GalleryVerticalEnd, LayoutGrid } from "lucide-react";
import NextLink from "next/link";
import { cn } from "#components/ui/cn.ts";
import type { FilterControl } from "./use-filters.ts";

const views = [
  { view: "deck", label: "Deck", icon: GalleryVerticalEnd },
  { view: "grid", label: "Grid", icon: LayoutGrid },
] as const;
export type View = (typeof views)[number]["view"];

export function ViewSwitch({ control, current }: { control: FilterControl; current: View }) {
  return (
    <nav
      aria-label="View"
      className="inline-flex h-control-sm shrink-0 rounded-md border border-line-strong bg-surface p-0.5"
    >
      {views.map(({ view, label, icon: Icon }) => (
        <NextLink
          key={view}
          href={control.hrefWith({ view: view === "deck" ? null : view, skip: null })}
          prefetch={false}
          title={label}
          aria-current={view === current ? "page" : undefined}
          className={cn(
            "inline-flex items-center gap-1.5 rounded-sm px-2.5 text-13 font-medium transition-colors",
            view === current ? "bg-accent-quiet text-text" : "text-muted hover:text-text",
          )}
        >
          <Icon aria-hidden className="size-4" />
          <span className="max-[90rem]:hidden-visually">{label}</span>
        </NextLink>
      ))}
    </nav>
  );
}
