import { Ban, Hash } from "lucide-react";
import { cn } from "./cn.ts";

export interface HashtagChipProps {
  tag: string;
  blocked?: boolean;
}

export function HashtagChip({ tag, blocked = false }: HashtagChipProps) {
  const name = tag.replace(/^#/, "");
  const look = cn(
    "inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm px-1.5 text-13 [&_svg]:size-3.5 [&_svg]:shrink-0",
    blocked ? "bg-reject-quiet text-reject" : "bg-wash text-text [&_svg]:text-muted",
  );
  return (
    <span className={look}>
      {blocked ? <Ban aria-hidden className="me-0.5" /> : <Hash aria-hidden />}
      <span dir="auto" className={cn("truncate", blocked && "line-through")}>
        {name}
      </span>
      {blocked ? <span className="hidden-visually"> (blocked)</span> : null}
    </span>
  );
}
