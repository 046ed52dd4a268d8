import type { ComponentProps, ReactNode } from "react";
import { buttonClass, type ButtonSize, type ButtonVariant } from "./button.tsx";
import { cn } from "./cn.ts";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** Accessible name, a verb. Also the tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
}

export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "sm",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cn(buttonClass(variant, size), "aspect-square px-0", className)}
      {...rest}
    >
      {icon}
    </button>
  );
}
