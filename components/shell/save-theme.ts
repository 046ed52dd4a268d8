"use client";
import { notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { ThemeChoice } from "./theme.ts";

/** "system" is stored too, because a device without its own choice uses the profile's. */
export function saveTheme(theme: ThemeChoice): void {
  apiFetch("/profile", { method: "PATCH", body: { theme } }).catch((thrown: unknown) =>
    notifyFailed("The theme was not saved for other devices", asFailure(thrown)),
  );
}
