"use client";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ApiKey, GeneratedKey } from "#lib/keys/schema.ts";
import { RevokeButton } from "./revoke-button.tsx";

const w = words.settings;

export function KeyActions({
  apiKey,
  isOwn,
  onRotated,
}: {
  apiKey: ApiKey;
  isOwn: boolean;
  onRotated: (key: GeneratedKey) => void;
}) {
  const router = useRouter();
  const rotate = useMutation<void, GeneratedKey>(
    () => apiFetch(`/api-keys/${apiKey.id}/rotate`, { method: "POST" }),
    {
      refresh: ["/api-keys*"],
      onDone: (key) => {
        notifyDone(w.rotated(key.name));
        onRotated(key);
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return (
    <span className="flex flex-wrap gap-2">
      {isOwn ? (
        <AlertDialog
          title={w.rotateTitle(`${apiKey.name} (…${apiKey.last_characters})`)}
          description={w.rotateHint}
          confirm={w.rotateKey}
          onConfirm={() => void rotate.run()}
          pending={rotate.pending}
          trigger={
            <Button size="sm" pending={rotate.pending}>
              {w.rotateKey}
            </Button>
          }
        />
      ) : null}
      <RevokeButton apiKey={apiKey} onRevoked={() => router.push("/settings/keys")} />
    </span>
  );
}
