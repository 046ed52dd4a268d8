"use client";
import { useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskPreferences } from "#lib/desk/preferences.ts";

/** Dismissal is stored in the profile. */
export function useHint(preferences: DeskPreferences): { show: boolean; dismiss: () => void } {
  const [dismissed, setDismissed] = useState(preferences.hint_seen);
  return {
    show: !dismissed,
    dismiss: () => {
      setDismissed(true);
      // If storing fails, the hint is shown once more.
      apiFetch("/profile", { method: "PATCH", body: { preferences: { desk_hint_seen: true } } }).catch(
        () => undefined,
      );
    },
  };
}
