"use client";
import { Check } from "lucide-react";
import NextLink from "next/link";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { cn } from "./cn.ts";
import { Kbd } from "./kbd.tsx";

const item =
  "flex min-h-control-sm cursor-default items-center gap-2 rounded-sm px-2 py-1 text-14 outline-none select-none " +
  "data-highlighted:bg-wash data-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted";

export interface DropdownMenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom";
  defaultOpen?: boolean;
  className?: string;
}

export function DropdownMenu({
  trigger,
  children,
  align = "end",
  side,
  defaultOpen = false,
  className,
}: DropdownMenuProps) {
  return (
    <Radix.Root defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          {...(side ? { side } : {})}
          sideOffset={6}
          collisionPadding={8}
          className={cn(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-rise-in overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-hairline",
            className,
          )}
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
  kbd?: string;
  tone?: "plain" | "danger";
  onSelect?: () => void;
  href?: string;
}

export function MenuItem({ children, icon, kbd, tone = "plain", onSelect, href }: MenuItemProps) {
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
      {kbd ? <Kbd>{kbd}</Kbd> : null}
    </>
  );
  return (
    <Radix.Item className={look} asChild={href !== undefined} {...(onSelect ? { onSelect } : {})}>
      {href === undefined ? content : <NextLink href={href}>{content}</NextLink>}
    </Radix.Item>
  );
}

export interface MenuChoicesProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string; icon?: ReactNode }[];
}

export function MenuChoices({ label, value, onChange, options }: MenuChoicesProps) {
  return (
    <>
      <MenuLabel>{label}</MenuLabel>
      <Radix.RadioGroup aria-label={label} value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Radix.RadioItem key={option.value} value={option.value} className={item}>
            {option.icon}
            <span className="min-w-0 flex-1">{option.label}</span>
            <Radix.ItemIndicator>
              <Check aria-hidden />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-12 text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
