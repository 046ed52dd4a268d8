"use client";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { ApiKey } from "#lib/accounts/key-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

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
      refreshPage: leads === undefined,
      onDone: () => {
        notifyDone(`${apiKey.name} revoked`);
        if (leads !== undefined) router.push(leads);
      },
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  return (
    <AlertDialog
      title={`Revoke ${apiKey.name} (…${apiKey.last_characters})`}
      description="It stops working immediately. This cannot be undone."
      confirm="Revoke"
      onConfirm={() => void revoke.run()}
      pending={revoke.pending}
      trigger={
        <Button
          size="sm"
          pending={revoke.pending}
          aria-label={`Revoke ${apiKey.name} …${apiKey.last_characters}`}
        >
          Revoke
        </Button>
      }
    />
  );
}
