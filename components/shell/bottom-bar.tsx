"use client";
import { Ellipsis, LogOut } from "lucide-react";
import NextLink from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { PaletteButton } from "#components/palette/palette-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Sheet } from "#components/ui/dialog.tsx";
import { words } from "#components/words/en.ts";
import { leave } from "./account-menu.tsx";
import { keepTheme } from "./keep-theme.ts";
import { useMember } from "./member-context.tsx";
import { barFor, isCurrent, type Place } from "./navigation.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

const slot =
  "flex h-14 w-full flex-col items-center justify-center gap-0.5 text-12 transition-colors focus-visible:-outline-offset-2";

/** The phone's navigation: four places and the rest behind "More". */
export function BottomBar() {
  const pathname = usePathname();
  const member = useMember();
  const { bar, more } = barFor(member.role);
  const [open, setOpen] = useState(false);
  const elsewhere = more.some((place) => isCurrent(place.href, pathname));
  return (
    <nav
      aria-label={words.shell.navigation}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] desk:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col">
        {bar.map((place) => (
          <li key={place.href}>
            <BarLink place={place} current={isCurrent(place.href, pathname)} />
          </li>
        ))}
        <li>
          <Sheet
            side="bottom"
            title={member.name}
            description={member.email}
            open={open}
            onOpenChange={setOpen}
            trigger={
              <button
                type="button"
                className={cn(slot, elsewhere ? "font-medium text-accent" : "text-muted")}
              >
                <Ellipsis aria-hidden className="size-5" />
                {words.shell.more}
              </button>
            }
          >
            <PaletteButton onOpen={() => setOpen(false)} className="mb-2 h-11 text-16" />
            <ul className="-mx-2">
              {more.map((place) => (
                <li key={place.href}>
                  <NextLink
                    href={place.href}
                    onClick={() => setOpen(false)}
                    aria-current={isCurrent(place.href, pathname) ? "page" : undefined}
                    className="flex h-11 items-center gap-3 rounded-md px-2 text-16 aria-[current=page]:bg-accent-quiet"
                  >
                    <place.icon aria-hidden className="size-5 text-muted" />
                    {place.label}
                  </NextLink>
                </li>
              ))}
            </ul>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
              <ThemeSwitch onChange={keepTheme} />
              <Button variant="ghost" icon={<LogOut aria-hidden />} onClick={leave}>
                {words.shell.signOut}
              </Button>
            </div>
          </Sheet>
        </li>
      </ul>
    </nav>
  );
}

function BarLink({ place, current }: { place: Place; current: boolean }) {
  return (
    <NextLink
      href={place.href}
      aria-current={current ? "page" : undefined}
      className={cn(slot, current ? "font-medium text-accent" : "text-muted")}
    >
      <place.icon aria-hidden className="size-5" />
      {place.label}
    </NextLink>
  );
}
