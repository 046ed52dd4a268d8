import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Our own names have to be told, or `text-13` would count as a colour and be dropped beside `text-muted`.
const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ["12", "13", "14", "16", "20", "28"],
      spacing: ["control", "control-sm"],
      container: ["page", "prose"],
      shadow: ["hairline"],
      breakpoint: ["desk", "wide"],
    },
  },
});

/** Joins class names; the later one wins where two set the same thing. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
