import NextLink from "next/link";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cn } from "./cn.ts";
import { Kbd } from "./kbd.tsx";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "quiet" | "ghost" | "approve" | "reject" | "danger";
export type ButtonSize = "sm" | "md" | "touch";

const variants: Record<ButtonVariant, string> = {
  primary: "border border-transparent bg-accent text-on-accent hover:bg-accent/90",
  quiet: "border border-line-strong bg-surface text-text hover:bg-wash",
  ghost: "text-text hover:bg-wash",
  approve: "border border-transparent bg-approve text-on-approve hover:bg-approve/90",
  reject: "border border-transparent bg-reject text-on-reject hover:bg-reject/90",
  danger: "border border-reject bg-surface text-reject hover:bg-reject-quiet",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-control-sm gap-1.5 px-2.5 text-13",
  md: "h-control gap-2 px-3.5 text-14",
  touch: "h-11 gap-2 px-4 text-16",
};

export function buttonClass(
  variant: ButtonVariant = "quiet",
  size: ButtonSize = "md",
  extra?: string,
): string {
  return cn(
    "inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none slim:shrink slim:whitespace-normal",
    "transition-colors disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
    extra,
  );
}

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** The shortcut, hidden on touch screens. */
  kbd?: string;
  /** Keeps focus and width, and ignores clicks. */
  pending?: boolean;
}

/** `type` defaults to "button". */
export function Button({
  variant,
  size,
  icon,
  kbd,
  pending = false,
  className,
  children,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  // Not `disabled`, which would lose the focus.
  const press = pending ? (event: MouseEvent) => event.preventDefault() : onClick;
  return (
    <button
      type={type}
      className={buttonClass(variant, size, className)}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      aria-keyshortcuts={kbd}
      {...(press ? { onClick: press } : {})}
      {...rest}
    >
      {pending ? <Spinner /> : icon}
      {children}
      {kbd ? <Kbd tone={filled(variant) ? "on" : "plain"}>{kbd}</Kbd> : null}
    </button>
  );
}

export interface ButtonLinkProps
  extends Pick<ButtonProps, "variant" | "size">, ComponentProps<typeof NextLink> {}

export function ButtonLink({ variant, size, className, ...link }: ButtonLinkProps) {
  return <NextLink className={buttonClass(variant, size, className)} {...link} />;
}

function filled(variant: ButtonVariant | undefined): boolean {
  return variant === "primary" || variant === "approve" || variant === "reject";
}
