import { clsx, type ClassValue } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

/** The names of our own theme (app/globals.css), which tailwind-merge cannot know. */
const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ["12", "13", "14", "16", "20", "28"],
      spacing: ["control", "control-sm"],
      container: ["page", "prose"],
      shadow: ["hairline"],
      breakpoint: ["desk", "wide"],
      animate: ["fade-in", "rise-in", "slide-up", "slide-in", "skeleton"],
    },
  },
});

/** Joins class names; of two that set the same property the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
