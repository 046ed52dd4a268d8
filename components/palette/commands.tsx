"use client";
import {
  BookOpen,
  CalendarPlus,
  Download,
  Eraser,
  Keyboard,
  KeyRound,
  LogOut,
  Moon,
  Plus,
  Scissors,
  Settings,
  Sun,
  UserPlus,
  type LucideIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { settingsParts } from "#components/shell/settings-parts.ts";
import { openKeyHelp } from "#components/shell/key-host.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { placesFor } from "#components/shell/navigation.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { signOutWithMessage } from "#components/shell/sign-out-with-message.ts";
import { setTheme } from "#components/shell/theme-switch.tsx";
import { useFetchAll } from "#components/streams/fetch.tsx";

export interface Entry {
  id: string;
  name: string;
  detail?: string;
  /** Other words that find it. */
  also?: string;
  icon: LucideIcon;
  run: () => void;
}

const also: Readonly<Record<string, string>> = {
  "/": "start dashboard",
  "/review": "desk deck approve reject",
  "/queue": "pending errors runway held topical",
  "/streams": "hashtags fetch",
  "/blocking": "blocklist blocked users",
  "/statistics": "figures numbers charts",
  "/posts": "search list",
  "/settings": "profile account",
  "/settings/installation": "backup retention keep days",
  "/settings/keys": "api keys token",
  "/settings/members": "members invitations reasons",
  "/settings/log": "decisions changes history audit who decided",
  "/settings/checks": "threshold vote rules words learner",
};

export function useCommands(): { places: Entry[]; actions: Entry[] } {
  const router = useRouter();
  const { role } = useMember();
  const fetchAll = useFetchAll();
  const go = (href: string) => () => router.push(href);
  const placeOf = (href: string, name: string, icon: LucideIcon): Entry => ({
    id: `go ${href}`,
    name,
    icon,
    also: also[href] ?? "",
    run: go(href),
  });
  const places = [
    ...placesFor(role).map(({ href, label, icon }) => placeOf(href, label, icon)),
    ...settingsParts
      .filter(({ href, least }) => href !== "/settings" && reaches(role, least))
      .map(({ href, label }) => ({ ...placeOf(href, label, Settings), detail: "Settings" })),
  ];
  const actions: [least: Role, name: string, icon: LucideIcon, run: () => void, also?: string][] = [
    ["admin", "Fetch all streams", Download, () => void fetchAll.run()],
    ["admin", "Add a stream", Plus, go("/streams?add=1")],
    ["viewer", "Generate an API key", KeyRound, go("/settings/keys#generate"), "token"],
    ["admin", "Invite a member", UserPlus, go("/settings/members")],
    ["admin", "Add a topical rule", CalendarPlus, go("/queue/topical?add=1")],
    ["admin", "Trim pending posts", Scissors, go("/queue?trim=1")],
    ["admin", "Clean up delivered posts", Eraser, go("/queue?cleanup=1")],
    ["viewer", "Show all keys", Keyboard, () => openKeyHelp()],
    ["viewer", "Light theme", Sun, () => setTheme("light"), "appearance mode"],
    ["viewer", "Dark theme", Moon, () => setTheme("dark"), "appearance mode"],
    ["viewer", "API reference", BookOpen, go("/docs"), "documentation"],
    ["viewer", "Sign out", LogOut, signOutWithMessage, "log out"],
  ];
  return {
    places,
    actions: actions
      .filter(([least]) => reaches(role, least))
      .map(([, name, icon, run, words = ""]) => ({ id: name, name, icon, run, also: words })),
  };
}
