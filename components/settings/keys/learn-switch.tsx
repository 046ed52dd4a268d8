"use client";
import { Switch } from "#components/ui/choice.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ApiKey } from "#lib/keys/schema.ts";

const w = words.settings;

/** Only for keys that can review. */
export function LearnSwitch({ apiKey }: { apiKey: ApiKey }) {
  const change = useMutation<boolean, ApiKey>(
    (learn) => apiFetch(`/api-keys/${apiKey.id}`, { method: "PATCH", body: { learn } }),
    {
      refresh: ["/api-keys*"],
      onDone: (key) => notifyDone(w.learnChanged(key.name, key.learn)),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  if (!apiKey.scopes.includes("review")) return null;
  return (
    <Switch
      className="mt-4"
      label={w.learn}
      checked={apiKey.learn}
      disabled={change.pending}
      onChange={(event) => void change.run(event.target.checked)}
    />
  );
}
