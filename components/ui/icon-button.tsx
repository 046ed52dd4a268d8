import type { ComponentProps, ReactNode } from "react";
import { buttonClass, type ButtonSize, type ButtonVariant } from "./button.tsx";
import { cn } from "./cn.ts";
import { Spinner } from "./spinner.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** Accessible name, shown on hover. A verb. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  pending?: boolean;
}

export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "sm",
  pending = false,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-busy={pending || undefined}
      className={cn(buttonClass(variant, size), "aspect-square px-0", className)}
      {...rest}
    >
      {pending ? <Spinner /> : icon}
    </button>
  );
}
