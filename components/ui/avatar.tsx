import { Bot } from "lucide-react";
import { cn } from "./cn.ts";

export interface AvatarProps {
  name: string;
  bot?: boolean;
  size: "sm" | "lg";
  className?: string;
}

const sizes = { sm: "size-6 text-12", lg: "size-10 text-14" };

/** The initial of a name. Not the author's picture, which would need a request for each post. */
export function Avatar({ name, bot = false, size, className }: AvatarProps) {
  // Skip custom emojis.
  const initial = /[\p{L}\p{N}]\p{M}*/u.exec(name.replace(/:[\w+-]+:/g, ""))?.[0] ?? "?";
  return (
    <span
      aria-hidden
      dir="auto"
      className={cn(
        "inline-flex shrink-0 items-center justify-center rounded-full border border-line bg-wash font-medium text-muted select-none",
        sizes[size],
        className,
      )}
    >
      {bot ? <Bot className="size-4" /> : initial.toLocaleUpperCase("en")}
    </span>
  );
}
