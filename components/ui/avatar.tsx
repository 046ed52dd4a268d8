import { Bot } from "lucide-react";
import { cn } from "./cn.ts";

export interface AvatarProps {
  name: string;
  bot?: boolean;
  size: "sm" | "lg";
  className?: string;
}

const sizes = { sm: "size-6 text-12", lg: "size-10 text-14" };

/** A picture would need a request. The name stands beside it. */
export function Avatar({ name, bot = false, size, className }: AvatarProps) {
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
      {bot ? <Bot className="size-4" /> : initials(name)}
    </span>
  );
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Without emoji. */
function initials(name: string): string {
  const parts = name
    .replace(/:[\w+-]+:/g, "")
    .replace(/^@/, "")
    .replace(/@.*$/, "")
    .split(/[\s._-]+/u)
    .map((word) =>
      [...graphemes.segment(word)]
        .map((piece) => piece.segment)
        .find((piece) => /^[\p{L}\p{N}]/u.test(piece)),
    )
    .filter((letter) => letter !== undefined);
  const first = parts[0];
  if (first === undefined) return "?";
  const last = parts.length > 1 ? parts[parts.length - 1] : "";
  return `${first}${last}`.toLocaleUpperCase("en");
}
