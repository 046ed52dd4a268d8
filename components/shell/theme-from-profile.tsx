"use client";
import { useEffect } from "react";
import { THEME_COOKIE, type Theme } from "./theme-cookie.ts";
import { setTheme } from "./theme.ts";

/** Only on a device without its own choice. */
export function ThemeFromProfile({ theme }: { theme: Theme | undefined }) {
  useEffect(() => {
    const chosenHere = document.cookie.split("; ").some((entry) => entry.startsWith(`${THEME_COOKIE}=`));
    if (theme && !chosenHere) setTheme(theme);
  }, [theme]);
  return null;
}
