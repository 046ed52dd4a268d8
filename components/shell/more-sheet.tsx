import { LogOut } from "lucide-react";
import NextLink from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { PaletteButton } from "#components/palette/palette-host.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { signOutWithMessage } from "./sign-out-with-message.ts";
import { useMember } from "./member-context.tsx";
import { isCurrent, type Place } from "./navigation.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

export interface MoreSheetProps {
  places: readonly Place[];
  source: ReactNode;
  onOpenChange: (open: boolean) => void;
}

export function MoreSheet({ places, source, onOpenChange }: MoreSheetProps) {
  const pathname = usePathname();
  const member = useMember();
  return (
    <Dialog open onOpenChange={onOpenChange} side="bottom" title={member.name} description={member.email}>
      <PaletteButton onOpen={() => onOpenChange(false)} className="mb-2 h-11 text-16" />
      <ul className="-mx-2">
        {places.map((place) => (
          <li key={place.href}>
            <NextLink
              href={place.href}
              onClick={() => onOpenChange(false)}
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
        <ThemeSwitch />
        <Button variant="ghost" icon={<LogOut aria-hidden />} onClick={signOutWithMessage}>
          Sign out
        </Button>
      </div>
      <div className="-mx-2 mt-2">{source}</div>
    </Dialog>
  );
}
