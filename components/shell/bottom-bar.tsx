"use client";
import { Ellipsis } from "lucide-react";
import { usePathname } from "next/navigation";
import { useId, type ReactNode } from "react";
import { PaletteButton } from "#components/palette/palette-host.tsx";
import { cn } from "#components/ui/cn.ts";
import { AccountPanel } from "./account-menu.tsx";
import { useMember } from "./member-context.tsx";
import { barFor, isCurrent, type Place } from "./navigation.ts";
import { NavLink } from "./nav-link.tsx";

const slot =
  "flex h-14 w-full flex-col items-center justify-center gap-0.5 text-12 transition-colors focus-visible:-outline-offset-2";

export function BottomBar({ source, waiting }: { source: ReactNode; waiting: ReactNode }) {
  const pathname = usePathname();
  const member = useMember();
  const { bar, more } = barFor(member.role);
  const id = useId();
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
            popoverTarget={id}
            className={cn(slot, elsewhere ? "font-medium text-accent" : "text-muted")}
          >
            <Ellipsis aria-hidden className="size-5" />
            <span className="slim:hidden-visually">More</span>
          </button>
          <AccountPanel
            id={id}
            label="More"
            places={more}
            top={<PaletteButton className="mb-2 h-11 text-16" />}
            className="inset-x-0 top-auto bottom-0 m-0 max-h-[85dvh] w-full max-w-none animate-slide-up rounded-t-lg border-t p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] backdrop:bg-scrim"
          >
            {source}
          </AccountPanel>
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
