import { BookOpen, ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import NextLink from "next/link";
import { useId, useState } from "react";
import { Avatar } from "#components/ui/avatar.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { roles } from "#components/words.ts";
import { useMember } from "./member-context.tsx";
import { signOutWithMessage } from "./sign-out-with-message.ts";

/** Its actions are not in the first load of the desk. */
const ThemeSwitch = lazyWithRetry(() => import("./theme-switch.tsx").then((module) => module.ThemeSwitch));

const places = [
  { href: "/settings", label: "Settings", icon: UserRound },
  { href: "/docs", label: "API reference", icon: BookOpen },
];

/** The browser opens and closes it, also before scripts have loaded. */
export function AccountMenu() {
  const member = useMember();
  const id = useId();
  const [used, setUsed] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="flex w-full min-w-0 items-center gap-2 rounded-md p-1.5 text-start transition-colors hover:bg-wash"
      >
        <Avatar name={member.name} size="sm" />
        <span className="hidden-visually">Account: </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-13 font-medium">
            {member.name}
          </span>
          <span className="block truncate text-12 text-muted">{roles[member.role]}</span>
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label="Account"
        onToggle={(event) => event.newState === "open" && setUsed(true)}
        className="inset-auto start-3 bottom-20 m-0 w-68 rounded-lg border border-line bg-raised p-2 text-14 text-text shadow-hairline"
      >
        <p className="px-2 pb-2 text-12 text-muted">
          Signed in as
          <span dir="auto" className="block truncate text-13 text-text">
            {member.email}
          </span>
        </p>
        {places.map(({ href, label, icon: Icon }) => (
          <NextLink
            key={href}
            href={href}
            onClick={(event) => event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
            className="flex h-control-sm items-center gap-2 rounded-sm px-2 hover:bg-wash"
          >
            <Icon aria-hidden className="size-4 text-muted" />
            {label}
          </NextLink>
        ))}
        <div className="my-2 min-h-12.5 border-y border-line py-2">{used ? <ThemeSwitch /> : null}</div>
        <Button
          variant="ghost"
          size="sm"
          icon={<LogOut aria-hidden />}
          onClick={signOutWithMessage}
          className="w-full justify-start px-2 text-14"
        >
          Sign out
        </Button>
      </div>
    </>
  );
}
