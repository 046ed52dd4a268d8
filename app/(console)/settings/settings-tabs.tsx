"use client";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { reaches } from "#components/shell/roles.ts";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { settingsParts } from "#components/shell/settings-parts.ts";

export function SettingsTabs() {
  const pathname = usePathname();
  const { role } = useMember();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On phones the last tabs are off screen.
    place.current
      ?.querySelector("[aria-current=page]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <div ref={place}>
      <LinkTabs
        label="Sections of the settings"
        tabs={settingsParts
          .filter((part) => reaches(role, part.minRole))
          .map(({ href, label }) => ({
            href,
            label,
            current: pathname === href || pathname === `${href}/${pathname.split("/")[3]}`,
          }))}
      />
    </div>
  );
}
