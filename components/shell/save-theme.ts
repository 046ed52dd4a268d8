"use client";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import { runAction } from "#components/ui/action-form.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import type { ThemeChoice } from "./theme.ts";

/** "system" is stored too, because a device without its own choice uses the profile's. */
export function saveTheme(theme: ThemeChoice): void {
  runAction(savePreferences, { theme }).catch((thrown: unknown) =>
    notifyFailed("The theme was not saved for other devices", asFailure(thrown)),
  );
}
