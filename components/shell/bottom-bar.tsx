"use client";
import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState, type ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { useMember } from "./member-context.tsx";
import { barFor, isCurrent, type Place } from "./navigation.ts";
import { NavLink } from "./nav-link.tsx";

const MoreSheet = lazyWithRetry(
  () => import("./more-sheet.tsx").then((module) => module.MoreSheet),
  ({ onOpenChange }) => <LoadingNotice onClose={() => onOpenChange(false)} />,
);

const slot =
  "flex h-14 w-full flex-col items-center justify-center gap-0.5 text-12 transition-colors focus-visible:-outline-offset-2";

export function BottomBar({ source, waiting }: { source: ReactNode; waiting: ReactNode }) {
  const pathname = usePathname();
  const member = useMember();
  const { bar, more } = barFor(member.role);
  const [open, setOpen] = useState(false);
  const elsewhere = more.some((place) => isCurrent(place.href, pathname));
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] desk:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col">
        {bar.map((place) => (
          <li key={place.href}>
            <BarLink place={place} current={isCurrent(place.href, pathname)}>
              {place.href === "/review" && pathname !== "/review" ? waiting : null}
            </BarLink>
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(true)}
            className={cn(slot, elsewhere ? "font-medium text-accent" : "text-muted")}
          >
            <Ellipsis aria-hidden className="size-5" />
            <span className="slim:hidden-visually">More</span>
          </button>
          {open ? <MoreSheet places={more} source={source} onOpenChange={setOpen} /> : null}
        </li>
      </ul>
    </nav>
  );
}

function BarLink({ place, current, children }: { place: Place; current: boolean; children: ReactNode }) {
  return (
    <NavLink
      href={place.href}
      aria-current={current ? "page" : undefined}
      className={cn(slot, current ? "font-medium text-accent" : "text-muted")}
    >
      <place.icon aria-hidden className="size-5" />
      <span className="flex items-baseline gap-1">
        <span className="slim:hidden-visually">{place.label}</span>
        {children}
      </span>
    </NavLink>
  );
}
