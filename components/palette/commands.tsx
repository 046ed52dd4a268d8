"use client";
import {
  BookOpen,
  CalendarDays,
  CalendarPlus,
  Download,
  Eraser,
  Keyboard,
  KeyRound,
  LogOut,
  Monitor,
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
import { saveTheme } from "#components/shell/save-theme.ts";
import { signOutWithMessage } from "#components/shell/sign-out-with-message.ts";
import { setTheme, type ThemeChoice } from "#components/shell/theme.ts";
import { useFetchAll } from "#components/streams/use-fetch-all.ts";
import type { Post } from "#lib/review/post-schema.ts";

/** Synonyms that find the same entry. */
const paletteAlso = {
  home: "start dashboard",
  review: "desk deck approve reject",
  queue: "pending errors runway held",
  streams: "hashtags fetch",
  filters: "blocklist blocked users",
  topical: "days calendar",
  statistics: "figures numbers charts",
  posts: "search list",
  settings: "profile account",
  "settings/installation": "backup retention keep days",
  "settings/keys": "api keys token",
  "settings/members": "members invitations reasons",
  "settings/log": "decisions changes history audit who decided",
  "settings/checks": "threshold vote rules words learner",
  theme: "appearance mode",
  keys: "token",
  savedFilters: "saved filter view",
  leave: "log out",
  reference: "docs documentation",
} as const;

export interface Entry {
  id: string;
  name: string;
  detail?: string;
  also?: string;
  /** The post whose custom emoji the name uses. */
  post?: Pick<Post, "id" | "emojis">;
  icon?: LucideIcon;
  run: () => void;
}

export function useCommands(): { places: Entry[]; actions: Entry[] } {
  const router = useRouter();
  const { role } = useMember();
  const fetchAll = useFetchAll();
  const go = (href: string) => () => router.push(href);
  const theme = (choice: ThemeChoice) => () => {
    setTheme(choice);
    saveTheme(choice);
  };
  const also: Readonly<Record<string, string>> = paletteAlso;
  const places: Entry[] = [
    ...placesFor(role).map(({ href, label, icon }) => ({
      id: `go ${href}`,
      name: label,
      icon,
      also: also[href === "/" ? "home" : href.slice(1)] ?? "",
      run: go(href),
    })),
    {
      id: "go /queue/topical",
      name: "Topical",
      icon: CalendarDays,
      detail: "Queue",
      also: "days calendar",
      run: go("/queue/topical"),
    },
    ...settingsParts
      .filter((part) => part.href !== "/settings" && reaches(role, part.least))
      .map(({ href, label }) => ({
        id: `go ${href}`,
        name: label,
        icon: Settings,
        detail: "Settings",
        also: `Settings ${also[href.slice(1)] ?? ""}`,
        run: go(href),
      })),
  ];
  const every: (Entry & { least: Role })[] = [
    {
      id: "fetch",
      name: "Fetch all streams",
      icon: Download,
      least: "admin",
      run: () => void fetchAll.run(),
    },
    { id: "stream", name: "Add a stream", icon: Plus, least: "admin", run: go("/streams?add=1") },
    {
      id: "key",
      name: "Generate an API key",
      icon: KeyRound,
      also: "token",
      least: "viewer",
      run: go("/settings/keys?generate=1"),
    },
    {
      id: "invite",
      name: "Invite a member",
      icon: UserPlus,
      least: "admin",
      run: go("/settings/members?invite=1"),
    },
    {
      id: "rule",
      name: "Add a topical rule",
      icon: CalendarPlus,
      least: "admin",
      run: go("/queue/topical?add=1"),
    },
    { id: "trim", name: "Trim pending posts", icon: Scissors, least: "admin", run: go("/queue?trim=1") },
    {
      id: "cleanup",
      name: "Clean up delivered posts",
      icon: Eraser,
      least: "admin",
      run: go("/queue?cleanup=1"),
    },
    { id: "keys", name: "Show all keys", icon: Keyboard, least: "viewer", run: () => openKeyHelp() },
    {
      id: "light",
      name: "Light theme",
      icon: Sun,
      also: "appearance mode",
      least: "viewer",
      run: theme("light"),
    },
    {
      id: "dark",
      name: "Dark theme",
      icon: Moon,
      also: "appearance mode",
      least: "viewer",
      run: theme("dark"),
    },
    {
      id: "system",
      name: "System theme",
      icon: Monitor,
      also: "appearance mode",
      least: "viewer",
      run: theme("system"),
    },
    {
      id: "docs",
      name: "API reference",
      icon: BookOpen,
      also: "docs documentation",
      least: "viewer",
      run: go("/docs"),
    },
    {
      id: "leave",
      name: "Sign out",
      icon: LogOut,
      also: "log out",
      least: "viewer",
      run: signOutWithMessage,
    },
  ];
  return { places, actions: every.filter((entry) => reaches(role, entry.least)) };
}
