import NextLink from "next/link";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./cn.ts";

const item =
  "flex min-h-control-sm cursor-default items-center gap-2 rounded-sm px-2 py-1 text-14 outline-none select-none " +
  "data-highlighted:bg-wash data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted";

export interface DropdownMenuProps {
  trigger: ReactElement;
  children: ReactNode;
}

export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise-in overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-hairline"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  tone?: "plain" | "danger";
  onSelect?: () => void;
  href?: string;
}

export function MenuItem({ children, icon, tone = "plain", onSelect, href }: MenuItemProps) {
  const look = cn(
    item,
    tone === "danger" && "text-reject data-highlighted:bg-reject-quiet [&_svg]:text-reject",
  );
  const content = (
    <>
      {icon}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {children}
      </span>
    </>
  );
  return (
    <Radix.Item className={look} asChild={href !== undefined} {...(onSelect ? { onSelect } : {})}>
      {href === undefined ? content : <NextLink href={href}>{content}</NextLink>}
    </Radix.Item>
  );
}
