"use client";
import { useSyncExternalStore } from "react";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import { runAction } from "#components/ui/action-form.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";

export type ThemeChoice = "system" | "light" | "dark";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function read(): ThemeChoice {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : "system";
}

/** Shows the theme at once and keeps it in the profile, from which the root layout reads it. */
export function setTheme(theme: ThemeChoice): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  runAction(savePreferences, { theme }).catch((thrown: unknown) =>
    notifyFailed("The theme was not saved", asFailure(thrown)),
  );
}

export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, read, () => "system");
}
