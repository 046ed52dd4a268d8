"use client";
import { roles } from "#components/words.ts";
import { ChevronsUpDown } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { Avatar } from "#components/ui/avatar.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { useMember } from "./member-context.tsx";

const AccountMenuOpen = lazyWithRetry(
  () => import("./account-menu-open.tsx").then((module) => module.AccountMenuOpen),
  () => <AccountButton aria-busy />,
);

export function AccountMenu() {
  const [used, setUsed] = useState(false);
  if (used) return <AccountMenuOpen trigger={<AccountButton />} />;
  return <AccountButton aria-haspopup="menu" aria-expanded={false} onClick={() => setUsed(true)} />;
}

function AccountButton(rest: ComponentProps<"button">) {
  const member = useMember();
  return (
    <button
      type="button"
      className="flex w-full min-w-0 items-center gap-2 rounded-md p-1.5 text-start transition-colors hover:bg-wash data-[state=open]:bg-wash"
      {...rest}
    >
      <Avatar name={member.name} size="sm" />
      <VisuallyHidden>Account: </VisuallyHidden>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-13 font-medium">
          {member.name}
        </span>
        <span className="block truncate text-12 text-muted">{roles[member.role]}</span>
      </span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
    </button>
  );
}
