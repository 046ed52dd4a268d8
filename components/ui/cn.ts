import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Theme names (app/globals.css) unknown to tailwind-merge. */
const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ["12", "13", "14", "16", "20", "28"],
      spacing: ["control", "control-sm"],
      container: ["page", "prose"],
      shadow: ["hairline"],
      breakpoint: ["desk", "wide"],
      animate: ["fade-in", "rise-in", "slide-up", "slide-in", "leave", "skeleton"],
    },
  },
});

/** The later of two classes for the same property wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
