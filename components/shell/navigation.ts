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
import { reaches, type Role } from "./roles.ts";

export interface Place {
  href: string;
  label: string;
  icon: LucideIcon;
  minRole: Role;
  /** Key that opens the page after G. */
  letter: string;
  /** Shown in the bottom bar on phones. */
  bar: boolean;
  /** Not in the menu, but a tab of this page, or in the account menu. */
  within?: string;
}

const all: readonly Place[] = [
  { href: "/", letter: "h", label: "Home", icon: House, minRole: "viewer", bar: true },
  {
    href: "/review",
    letter: "r",
    label: "Review",
    icon: GalleryVerticalEnd,
    minRole: "reviewer",
    bar: true,
  },
  { href: "/posts", letter: "p", label: "Posts", icon: Files, minRole: "viewer", bar: true },
  { href: "/queue", letter: "q", label: "Queue", icon: ListOrdered, minRole: "viewer", bar: true },
  { href: "/streams", letter: "s", label: "Streams", icon: Waves, minRole: "viewer", bar: false },
  {
    href: "/blocking",
    letter: "f",
    label: "Blocking",
    icon: Ban,
    minRole: "viewer",
    bar: false,
    within: "/streams",
  },
  {
    href: "/statistics",
    letter: "n",
    label: "Statistics",
    icon: BarChart3,
    minRole: "viewer",
    bar: false,
  },
  {
    href: "/settings",
    letter: "e",
    label: "Settings",
    icon: Settings,
    minRole: "viewer",
    bar: false,
    within: "account",
  },
];

/** Entries of the menu. */
export function menuFor(role: Role): Place[] {
  return placesFor(role).filter((place) => place.within === undefined);
}

export function placesFor(role: Role): Place[] {
  return all.filter((place) => reaches(role, place.minRole));
}

/** In the order of the menu; the rest is behind More. */
export function barFor(role: Role): { bar: Place[]; more: Place[] } {
  const places = placesFor(role);
  const bar = places.filter((place) => place.bar);
  // Phones have no account menu.
  const isListed = (place: Place) => place.within === undefined || place.within === "account";
  return { bar, more: places.filter((place) => !bar.includes(place) && isListed(place)) };
}

export function isCurrent(href: string, pathname: string): boolean {
  if (href === "/") return pathname === "/";
  const inside = all.filter((place) => place.within === href).map((place) => place.href);
  return [href, ...inside].some((each) => pathname === each || pathname.startsWith(`${each}/`));
}
