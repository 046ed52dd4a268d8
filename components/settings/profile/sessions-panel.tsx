"use client";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;

export function SessionsPanel() {
  const leave = useMutation<void>(() => apiFetch("/profile/sign-out", { method: "POST" }), {
    // Clears the session's data from memory.
    onDone: () => window.location.assign("/sign-in"),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <Panel
      title={w.sessions}
      description={w.sessionsHint}
      actions={
        <AlertDialog
          title={w.signOutEverywhereTitle}
          description={w.sessionsHint}
          confirm={w.signOutEverywhere}
          onConfirm={() => void leave.run()}
          pending={leave.pending}
          trigger={<Button pending={leave.pending}>{w.signOutEverywhere}</Button>}
        />
      }
    />
  );
}
