"use client";
import { useEffect, useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme } from "./theme-cookie.ts";

export type ThemeChoice = Theme | "system";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): ThemeChoice {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : "system";
}

/** Stored for a year. "system" deletes it. */
export function setTheme(choice: ThemeChoice): void {
  const root = document.documentElement;
  const age = choice === "system" ? 0 : 31_536_000;
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${THEME_COOKIE}=${choice}; path=/; max-age=${age}; samesite=lax${secure}`;
  if (choice === "system") delete root.dataset.theme;
  else root.dataset.theme = choice;
  for (const each of listeners) each();
}

export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, read, (): ThemeChoice => "system"), setTheme];
}

/** The profile's theme, on a device without its own choice. */
export function ThemeFromProfile({ theme }: { theme: Theme | undefined }) {
  useEffect(() => {
    const chosenHere = document.cookie.split("; ").some((entry) => entry.startsWith(`${THEME_COOKIE}=`));
    if (theme && !chosenHere) setTheme(theme);
  }, [theme]);
  return null;
}
