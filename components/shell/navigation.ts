import {
  Ban,
  BarChart3,
  Files,
  GalleryVerticalEnd,
  House,
  ListOrdered,
  Settings,
  Waves,
  type LucideIcon,
} from "lucide-react";
import * as words from "#components/words/desk.ts";
import { reaches, type Role } from "./roles.ts";

export interface Place {
  href: string;
  label: string;
  icon: LucideIcon;
  least: Role;
  /** After G. */
  letter: string;
  /** In the bottom bar on phones. */
  bar: boolean;
}

const all: readonly Place[] = [
  { href: "/", letter: "h", label: words.shell.home, icon: House, least: "viewer", bar: false },
  {
    href: "/review",
    letter: "r",
    label: words.shell.review,
    icon: GalleryVerticalEnd,
    least: "reviewer",
    bar: true,
  },
  { href: "/posts", letter: "p", label: words.shell.posts, icon: Files, least: "viewer", bar: false },
  { href: "/queue", letter: "q", label: words.shell.queue, icon: ListOrdered, least: "viewer", bar: true },
  { href: "/streams", letter: "s", label: words.shell.streams, icon: Waves, least: "viewer", bar: true },
  { href: "/blocking", letter: "f", label: words.shell.blocking, icon: Ban, least: "viewer", bar: false },
  {
    href: "/statistics",
    letter: "n",
    label: words.shell.statistics,
    icon: BarChart3,
    least: "viewer",
    bar: true,
  },
  {
    href: "/settings",
    letter: "e",
    label: words.shell.settings,
    icon: Settings,
    least: "viewer",
    bar: false,
  },
];

export function placesFor(role: Role): Place[] {
  return all.filter((place) => reaches(role, place.least));
}

/** Viewers have Home instead of the desk. */
export function barFor(role: Role): { bar: Place[]; more: Place[] } {
  const places = placesFor(role);
  const bar = places.filter((place) => place.bar || (place.href === "/" && !reaches(role, "reviewer")));
  return { bar, more: places.filter((place) => !bar.includes(place)) };
}

export function isCurrent(href: string, pathname: string): boolean {
  return href === "/" ? pathname === "/" : pathname === href || pathname.startsWith(`${href}/`);
}
