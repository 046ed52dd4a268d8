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
import { settingsParts } from "#components/settings/settings-parts.ts";
import { openKeyHelp } from "#components/shell/key-host.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { placesFor } from "#components/shell/navigation.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { saveTheme } from "#components/shell/save-theme.ts";
import { signOutWithMessage } from "#components/shell/sign-out-with-message.ts";
import { setTheme, type ThemeChoice } from "#components/shell/theme.ts";
import { useFetchAll } from "#components/streams/use-fetch-all.ts";
import { words } from "#components/words/en.ts";
import type { Post } from "#lib/review/post-schema.ts";

const w = words.palette;

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
  const also: Readonly<Record<string, string>> = w.also;
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
      name: words.topical.title,
      icon: CalendarDays,
      detail: words.queue.title,
      also: w.also.topical,
      run: go("/queue/topical"),
    },
    ...settingsParts
      .filter((part) => part.href !== "/settings" && reaches(role, part.least))
      .map(({ href, label }) => ({
        id: `go ${href}`,
        name: label,
        icon: Settings,
        detail: words.settings.title,
        also: `${words.settings.title} ${also[href.slice(1)] ?? ""}`,
        run: go(href),
      })),
  ];
  const every: (Entry & { least: Role })[] = [
    {
      id: "fetch",
      name: w.commands.fetchAll,
      icon: Download,
      least: "admin",
      run: () => void fetchAll.run(),
    },
    { id: "stream", name: w.commands.addStream, icon: Plus, least: "admin", run: go("/streams?add=1") },
    {
      id: "key",
      name: w.commands.generateKey,
      icon: KeyRound,
      also: w.also.keys,
      least: "viewer",
      run: go("/settings/keys?generate=1"),
    },
    {
      id: "invite",
      name: w.commands.invite,
      icon: UserPlus,
      least: "admin",
      run: go("/settings/members?invite=1"),
    },
    {
      id: "rule",
      name: w.commands.addRule,
      icon: CalendarPlus,
      least: "admin",
      run: go("/queue/topical?add=1"),
    },
    { id: "trim", name: w.commands.trim, icon: Scissors, least: "admin", run: go("/queue?trim=1") },
    { id: "cleanup", name: w.commands.cleanup, icon: Eraser, least: "admin", run: go("/queue?cleanup=1") },
    { id: "keys", name: words.keys.help, icon: Keyboard, least: "viewer", run: () => openKeyHelp() },
    {
      id: "light",
      name: w.commands.light,
      icon: Sun,
      also: w.also.theme,
      least: "viewer",
      run: theme("light"),
    },
    {
      id: "dark",
      name: w.commands.dark,
      icon: Moon,
      also: w.also.theme,
      least: "viewer",
      run: theme("dark"),
    },
    {
      id: "system",
      name: w.commands.system,
      icon: Monitor,
      also: w.also.theme,
      least: "viewer",
      run: theme("system"),
    },
    {
      id: "docs",
      name: w.commands.reference,
      icon: BookOpen,
      also: w.also.reference,
      least: "viewer",
      run: go("/docs"),
    },
    {
      id: "leave",
      name: w.commands.signOut,
      icon: LogOut,
      also: w.also.leave,
      least: "viewer",
      run: signOutWithMessage,
    },
  ];
  return { places, actions: every.filter((entry) => reaches(role, entry.least)) };
}
