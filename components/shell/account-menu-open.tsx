"use client";
import { BookOpen, LogOut, UserRound } from "lucide-react";
import type { ReactElement } from "react";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu.tsx";
import { signOutWithMessage } from "./sign-out-with-message.ts";
import { useMember } from "./member-context.tsx";
import { ThemeMenuChoices } from "./theme-switch.tsx";

export function AccountMenuOpen({ trigger }: { trigger: ReactElement }) {
  const member = useMember();
  return (
    <DropdownMenu
      defaultOpen
      align="start"
      side="top"
      className="w-(--radix-dropdown-menu-trigger-width) min-w-52"
      trigger={trigger}
    >
      <p className="px-2 pt-1.5 pb-1 text-12 text-muted">
        Signed in as
        <span dir="auto" className="block truncate text-13 text-text">
          {member.email}
        </span>
      </p>
      <MenuSeparator />
      <MenuItem href="/settings" icon={<UserRound aria-hidden />}>
        Settings
      </MenuItem>
      <MenuItem href="/docs" icon={<BookOpen aria-hidden />}>
        API reference
      </MenuItem>
      <MenuSeparator />
      <ThemeMenuChoices />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={signOutWithMessage}>
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
}
