import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** Names of our theme (app/globals.css), which tailwind-merge does not know. */
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

/** Joins classes. Of two classes for the same property, the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
