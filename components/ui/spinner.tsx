import { LoaderCircle } from "lucide-react";
import { cn } from "./cn.ts";

/** Turns while something is under way. Says nothing by itself: the thing that waits carries `aria-busy`. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cn("size-4 shrink-0 animate-spin", className)} />;
}
