"use client";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;

export function RevokeButton({
  apiKey,
  leads,
}: {
  apiKey: ApiKey;
  /** Page to go to afterwards. */ leads?: string;
}) {
  const router = useRouter();
  const revoke = useMutation<void>(
    () => apiFetch("/api-keys/revoke", { method: "POST", body: { id: apiKey.id } }),
    {
      refresh: ["/api-keys*"],
      onDone: () => {
        notifyDone(w.revoked(apiKey.name));
        if (leads !== undefined) router.push(leads);
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return (
    <AlertDialog
      title={w.revokeTitle(`${apiKey.name} (…${apiKey.last_characters})`)}
      description={w.revokeHint}
      confirm={w.revokeKey}
      onConfirm={() => void revoke.run()}
      pending={revoke.pending}
      trigger={
        <Button
          size="sm"
          pending={revoke.pending}
          aria-label={`${w.revokeKey} ${apiKey.name} …${apiKey.last_characters}`}
        >
          {w.revokeKey}
        </Button>
      }
    />
  );
}
