"use client";
import { Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.queue;

/** Pauses or resumes deliveries for every bot. */
export function usePause() {
  const router = useRouter();
  return useMutation<boolean>(
    (paused) => apiFetch("/reblog-controls/settings", { method: "PUT", body: { deliveries_paused: paused } }),
    {
      refresh: ["/reblog-controls/settings*", "/curated*"],
      onDone: (_answer, paused) => {
        notifyDone(paused ? w.paused : w.resumed);
        router.refresh();
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
}

/**
 * Shown while deliveries are paused.
 * @param lost hours that a restore has lost
 */
export function PausedNotice({ lost = null }: { lost?: { from: string; to: string } | null }) {
  const mayResume = useCan("admin");
  const { run, pending } = usePause();
  return (
    <Notice
      tone="warn"
      icon={<Pause aria-hidden />}
      action={
        mayResume ? (
          <Button size="sm" icon={<Play aria-hidden />} pending={pending} onClick={() => void run(false)}>
            {w.resume}
          </Button>
        ) : null
      }
    >
      {w.pausedHint}
      {lost === null ? null : (
        <span className="block">
          {w.lost} <ExactTime at={lost.from} /> – <ExactTime at={lost.to} />. {w.lostHint}
        </span>
      )}
    </Notice>
  );
}
