"use client";
import { HandHeart } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { OptOut } from "#lib/consent/opt-out-schema.ts";
import { AttentionRow } from "./attention-row.tsx";

const w = words.home;

export function OptOutRow({ optOut, mayDecide }: { optOut: OptOut; mayDecide: boolean }) {
  const router = useRouter();
  const decide = useMutation<"confirmed" | "dismissed">(
    (resolution) =>
      apiFetch(`/opt-outs/${encodeURIComponent(optOut.account)}`, { method: "PUT", body: { resolution } }),
    {
      refresh: ["/curated*", "/reblog-controls*", "/posts*"],
      onDone: (_nothing, resolution) => {
        if (resolution === "confirmed")
          notifyDone(w.optOutConfirmed(optOut.account), { description: w.optOutConfirmedHint });
        else notifyDone(w.optOutDismissed(optOut.account));
        router.refresh();
      },
      onFailed: (failure) => {
        notifyFailed(w.optOutRefused, failure);
        if (failure.status === 404) router.refresh();
      },
    },
  );
  return (
    <AttentionRow
      icon={HandHeart}
      severity="warning"
      title={
        <Link href={authorHref(optOut.account)} tone="plain">
          {w.optOut(optOut.account)}
        </Link>
      }
      hint={
        <>
          {w.optOutHint(optOut.held)} <RelativeTime at={optOut.reported_at} />: {optOut.reason}
        </>
      }
      action={
        mayDecide ? (
          <>
            <Button
              pending={decide.pending}
              aria-label={`${w.optOutDismiss}: ${optOut.account}`}
              onClick={() => void decide.run("dismissed")}
            >
              {w.optOutDismiss}
            </Button>
            <Button
              pending={decide.pending}
              aria-label={`${w.optOutConfirm}: ${optOut.account}`}
              onClick={() => void decide.run("confirmed")}
            >
              {w.optOutConfirm}
            </Button>
          </>
        ) : undefined
      }
    />
  );
}
