"use client";
import { Button } from "#components/ui/button.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.filters;

export function RejectBlockedButton() {
  const mayManage = useCan("admin");
  const reject = useMutation<void, { rejected: number }>(
    () => apiFetch("/reblog-controls/reject-blocked", { method: "POST" }),
    {
      refresh: ["/reblog-controls*", "/posts*", "/stats*"],
      onDone: ({ rejected }) => notifyDone(w.rejectedNow(rejected)),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  if (!mayManage) return null;
  return (
    <Button title={w.rejectBlockedHint} pending={reject.pending} onClick={() => void reject.run()}>
      {w.rejectBlockedNow}
    </Button>
  );
}
