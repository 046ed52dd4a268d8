"use client";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

/** Confirming blocks the author. Dismissing releases their posts. */
export function OptOutButtons({ account, onDone }: { account: string; onDone?: () => void }) {
  const router = useRouter();
  const decide = useMutation(
    (resolution: "confirmed" | "dismissed") =>
      apiFetch(`/opt-outs/${encodeURIComponent(account)}`, { method: "PUT", body: { resolution } }),
    {
      onDone: (_done, resolution) => {
        notifyDone(
          resolution === "confirmed" ? words.postPage.optOutConfirmed : words.postPage.optOutDismissed,
        );
        (onDone ?? router.refresh)();
      },
      onFailed: (failure) => notifyFailed(words.postPage.failed, failure),
    },
  );
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={() => void decide.run("dismissed")}>
        {words.postPage.optOutDismiss}
      </Button>
      <Button size="sm" variant="danger" onClick={() => void decide.run("confirmed")}>
        {words.postPage.optOutConfirm}
      </Button>
    </div>
  );
}
