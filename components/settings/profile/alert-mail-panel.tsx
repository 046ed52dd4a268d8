"use client";
import { useState } from "react";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings.alertMail;

/** For admins, where mail is set up. */
export function AlertMailPanel({ isOn: rendered }: { isOn: boolean }) {
  const [isOn, setOn] = useState(rendered);
  const change = useMutation<boolean, Profile>(
    (on) =>
      apiFetch("/profile", { method: "PATCH", body: { preferences: { alert_mail: on ? null : false } } }),
    {
      onDone: (_, on) => {
        setOn(on);
        notifyDone(on ? w.switchedOn : w.switchedOff);
      },
      onFailed: (failure) => notifyFailed(words.settings.refused, failure),
    },
  );
  return (
    <Panel title={w.title} description={w.hint}>
      <Switch
        label={w.label}
        checked={isOn}
        disabled={change.pending}
        onChange={(event) => void change.run(event.target.checked)}
      />
    </Panel>
  );
}
