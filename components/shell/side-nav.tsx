"use client";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, type ReactNode } from "react";
import { PaletteButton } from "#components/palette/palette-host.tsx";
import { cn } from "#components/ui/cn.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Mark } from "./mark.tsx";
import { useMember } from "./member-context.tsx";
import { isCurrent, menuFor } from "./navigation.ts";
import { NavLink } from "./nav-link.tsx";

export function SideNav({ source, waiting }: { source: ReactNode; waiting: ReactNode }) {
  const pathname = usePathname();
  const router = useRouter();
  const isDesk = pathname === "/review";
  // The desk shows its own count. When it is left, refresh the number in the menu.
  useEffect(() => (isDesk ? () => router.refresh() : undefined), [isDesk, router]);
  const { role } = useMember();
  return (
    <header className="sticky top-0 hidden h-dvh w-52 shrink-0 flex-col border-e border-line bg-surface px-3 py-3 desk:flex">
      <NavLink
        href="/"
        className="flex h-control items-center gap-2 rounded-md px-2 text-16 font-semibold tracking-tight"
      >
        <Mark className="size-6 text-accent" />
        Sluice
      </NavLink>
      <PaletteButton className="mt-3" />
      <nav aria-label="Main" className="mt-3 min-h-0 flex-1 overflow-y-auto">
        <ul className="flex flex-col gap-0.5">
          {menuFor(role).map((place) => {
            const current = isCurrent(place.href, pathname);
            return (
              <li key={place.href}>
                <NavLink
                  href={place.href}
                  aria-current={current ? "page" : undefined}
                  className={cn(
                    "flex h-control-sm items-center gap-2.5 rounded-md px-2 text-14 transition-colors focus-visible:-outline-offset-2",
                    current
                      ? "bg-accent-quiet font-medium text-text"
                      : "text-muted hover:bg-wash hover:text-text",
                  )}
                >
                  <place.icon aria-hidden className={cn("size-4 shrink-0", current && "text-accent")} />
                  <span className="flex-1">{place.label}</span>
                  {place.href === "/review" && !isDesk ? waiting : null}
                </NavLink>
              </li>
            );
          })}
        </ul>
      </nav>
      <AccountMenu />
      {source}
    </header>
  );
}
