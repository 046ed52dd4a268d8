import { BookOpen, ChevronsUpDown, LogOut, UserRound, type LucideIcon } from "lucide-react";
import NextLink from "next/link";
import { usePathname } from "next/navigation";
import { useId, useState, type ReactNode } from "react";
import { Avatar } from "#components/ui/avatar.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { roles } from "#components/words.ts";
import { useMember } from "./member-context.tsx";
import { isCurrent } from "./navigation.ts";
import { signOutWithMessage } from "./sign-out-with-message.ts";

/** Loaded on demand, so that its server actions are not in the first load of the desk. */
const ThemeSwitch = lazyWithRetry(() => import("./theme-switch.tsx").then((module) => module.ThemeSwitch));

const places = [
  { href: "/settings", label: "Settings", icon: UserRound },
  { href: "/docs", label: "API reference", icon: BookOpen },
];

export function AccountMenu() {
  const member = useMember();
  const id = useId();
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
      <AccountPanel
        id={id}
        label="Account"
        places={places}
        className="inset-auto start-3 bottom-20 m-0 w-68 rounded-lg border p-2"
      />
    </>
  );
}

export interface AccountPanelProps {
  id: string;
  label: string;
  places: readonly { href: string; label: string; icon: LucideIcon }[];
  className: string;
  /** Shown below the member's address. */
  top?: ReactNode;
  children?: ReactNode;
}

/** A native popover, which works before scripts have loaded. A click on a link closes it. */
export function AccountPanel({ id, label, places: shown, className, top, children }: AccountPanelProps) {
  const pathname = usePathname();
  const { email } = useMember();
  const [used, setUsed] = useState(false);
  return (
    <div
      id={id}
      popover="auto"
      role="group"
      aria-label={label}
      onToggle={(event) => event.newState === "open" && setUsed(true)}
      onClick={(event) => {
        const isDone = event.target instanceof Element && event.target.closest("a, [aria-haspopup]") !== null;
        if (isDone) event.currentTarget.hidePopover();
      }}
      className={cn("border-line bg-raised text-14 text-text shadow-hairline", className)}
    >
      <p className="px-2 pb-2 text-12 text-muted">
        Signed in as
        <span dir="auto" className="block truncate text-13 text-text">
          {email}
        </span>
      </p>
      {top}
      {shown.map(({ href, label: name, icon: Icon }) => (
        <NextLink
          key={href}
          href={href}
          aria-current={isCurrent(href, pathname) ? "page" : undefined}
          className="flex h-control-sm items-center gap-2 rounded-sm px-2 hover:bg-wash aria-[current=page]:bg-accent-quiet max-desk:h-11 max-desk:text-16"
        >
          <Icon aria-hidden className="size-4 text-muted" />
          {name}
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
      {children}
    </div>
  );
}
