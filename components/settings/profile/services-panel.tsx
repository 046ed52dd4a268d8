"use client";
import { useState } from "react";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Profile, Provider } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

export interface ServicesPanelProps {
  services: { id: Provider; name: string }[];
  allowed: Provider[];
}

export function ServicesPanel({ services, allowed: rendered }: ServicesPanelProps) {
  const [allowed, setAllowed] = useState(rendered);
  const change = useMutation<{ id: Provider; name: string; on: boolean }, Profile>(
    ({ id, on }) =>
      apiFetch("/profile", {
        method: "PATCH",
        body: { sign_in_with: on ? [...allowed, id] : allowed.filter((each) => each !== id) },
      }),
    {
      onDone: (after, { name, on }) => {
        setAllowed(after.sign_in_with);
        notifyDone(on ? `${name} can sign you in` : `${name} can no longer sign you in`);
      },
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  return (
    <Panel
      title="Other services"
      description="A service can sign you in if it has verified your e-mail address."
    >
      <ul className="flex flex-col gap-2">
        {services.map(({ id, name }) => (
          <li key={id}>
            <Switch
              label={`Sign in with ${name}`}
              checked={allowed.includes(id)}
              disabled={change.pending}
              onChange={(event) => void change.run({ id, name, on: event.target.checked })}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
