"use client";
import { BookOpen, ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import { Avatar } from "#components/ui/avatar.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "#components/ui/dropdown-menu.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { signOut } from "#lib/client/sign-out.ts";
import { useMember } from "./member-context.tsx";
import { ThemeMenuChoices } from "./theme-switch.tsx";

/** Who is signed in; profile, theme, API reference, sign-out. */
export function AccountMenu() {
  const member = useMember();
  return (
    <DropdownMenu
      align="start"
      side="top"
      className="w-(--radix-dropdown-menu-trigger-width) min-w-52"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2 rounded-md p-1.5 text-start transition-colors hover:bg-wash data-[state=open]:bg-wash"
        >
          <Avatar name={member.name} size="sm" />
          <VisuallyHidden>{words.shell.account}: </VisuallyHidden>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-13 font-medium">{member.name}</span>
            <span className="block truncate text-12 text-muted">{words.shell.roles[member.role]}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <p className="px-2 pt-1.5 pb-1 text-12 text-muted">
        {words.shell.signedInAs}
        <span className="block truncate text-13 text-text">{member.email}</span>
      </p>
      <MenuSeparator />
      <MenuItem href="/settings" icon={<UserRound aria-hidden />}>
        {words.shell.settings}
      </MenuItem>
      <MenuItem href="/docs" icon={<BookOpen aria-hidden />}>
        {words.shell.apiReference}
      </MenuItem>
      <MenuSeparator />
      <ThemeMenuChoices />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={leave}>
        {words.shell.signOut}
      </MenuItem>
    </DropdownMenu>
  );
}

/** Signs out; says so when the server did not answer. */
export function leave(): void {
  signOut().catch((thrown: unknown) => notifyFailed(words.shell.signOutFailed, asFailure(thrown)));
}
