"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import {
  HINT_DECISIONS,
  type DeskPreferences,
  type StoredPreferences,
} from "#lib/client/desk/preferences.ts";
import type { Desk } from "./use-desk.ts";

/** Ends when dismissed or after ten decisions; both are stored in the profile. */
export function useHint(
  preferences: DeskPreferences,
  desk: Desk | null,
): { show: boolean; dismiss: () => void } {
  const [dismissed, setDismissed] = useState(preferences.hint_seen);
  const decisions = useRef(preferences.hint_decisions);
  const dismiss = useCallback(() => {
    setDismissed(true);
    store({ desk_hint_seen: true, desk_hint_decisions: null });
  }, []);
  useEffect(() => {
    if (!desk || dismissed) return;
    return desk.store.onEvent((event) => {
      if (event.kind !== "decided") return;
      decisions.current += 1;
      if (decisions.current >= HINT_DECISIONS) dismiss();
      else store({ desk_hint_decisions: decisions.current });
    });
  }, [desk, dismissed, dismiss]);
  return { show: !dismissed, dismiss };
}

let sent: Promise<unknown> = Promise.resolve();

/** In order, one at a time. If it fails, the hint is shown longer. */
function store(preferences: StoredPreferences): void {
  const send = () => savePreferences(null, { preferences }).catch(() => undefined);
  sent = sent.then(send);
}
