"use client";
import { useState } from "react";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

/** For admins, where mail is set up. */
export function AlertMailPanel({ isOn: rendered }: { isOn: boolean }) {
  const [isOn, setOn] = useState(rendered);
  const change = useMutation<boolean, Profile>(
    (on) =>
      apiFetch("/profile", { method: "PATCH", body: { preferences: { alert_mail: on ? null : false } } }),
    {
      onDone: (_, on) => {
        setOn(on);
        notifyDone(on ? "Alerts are sent to your address" : "No alerts are sent to your address");
      },
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  return (
    <Panel
      title="Alerts by e-mail"
      description="Such as a silent stream, a failed backup or a full disk: one mail at the start and one at the end."
    >
      <Switch
        label="Send alerts to my address"
        checked={isOn}
        disabled={change.pending}
        onChange={(event) => void change.run(event.target.checked)}
      />
    </Panel>
  );
}
