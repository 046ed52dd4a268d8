"use client";
import { useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskPreferences } from "#lib/desk/preferences.ts";

/** Whether the first visit's hint is shown; once dismissed it is gone for good, on every device. */
export function useHint(preferences: DeskPreferences): { show: boolean; dismiss: () => void } {
  const [dismissed, setDismissed] = useState(preferences.hint_seen);
  return {
    show: !dismissed,
    dismiss: () => {
      setDismissed(true);
      // When it is not kept, the hint comes once more: nothing to bother anybody with.
      apiFetch("/profile", { method: "PATCH", body: { preferences: { desk_hint_seen: true } } }).catch(
        () => undefined,
      );
    },
  };
}
