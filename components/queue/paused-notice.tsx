"use client";
import { Pause, Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

/** Pauses or resumes deliveries for every bot. */
export function usePause() {
  const router = useRouter();
  return useMutation<boolean>(
    (paused) => apiFetch("/reblog-controls/settings", { method: "PUT", body: { deliveries_paused: paused } }),
    {
      refresh: ["/reblog-controls/settings*", "/curated*"],
      onDone: (_answer, paused) => {
        notifyDone(paused ? "Deliveries are paused" : "Deliveries go on");
        router.refresh();
      },
      onFailed: (failure) => notifyFailed("The change failed", failure),
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
            Resume deliveries
          </Button>
        ) : null
      }
    >
      Deliveries are paused: boost bots get no posts. Reviews and answers of bots go on.
      {lost === null ? null : (
        <span className="block">
          A backup was restored. Lost is what happened in these hours: <ExactTime at={lost.from} /> –{" "}
          <ExactTime at={lost.to} />. Posts that were handed out then may be handed out again.
        </span>
      )}
    </Notice>
  );
}
