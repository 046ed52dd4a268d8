"use client";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { countAction, useBlocking, type Blocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";

const w = words.blockQuestions;

export function RejectBlockedButton() {
  const mayManage = useCan("admin");
  const blocking = useBlocking();
  if (!mayManage) return null;
  return (
    <>
      <Button
        title={words.filters.rejectBlockedHint}
        onClick={() => void blocking.once("", () => askRejection(blocking))}
      >
        {words.filters.rejectBlockedNow}
      </Button>
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
    </>
  );
}

async function askRejection({ setQuestion, offerUndo }: Blocking): Promise<void> {
  const { token, changes, counts, warnings } = await countAction("reject_blocked", {});
  if (changes === 0) return notifyInfo(w.rejectNone);
  const { user = 0, hashtag = 0 } = counts;
  const run = async () => {
    try {
      const { rejected } = await apiFetch<{ rejected: number }>("/reblog-controls/reject-blocked", {
        method: "POST",
        body: { preview: token },
      });
      offerUndo(token, w.rejected(rejected));
    } catch (thrown) {
      notifyFailed(words.blocking.failed, asFailure(thrown));
    }
    setQuestion(null);
  };
  const lines = [
    ...(user > 0 ? [w.rejectUser(user)] : []),
    ...(hashtag > 0 ? [w.rejectHashtag(hashtag)] : []),
  ];
  setQuestion({ title: w.rejectTitle, lines, warnings, action: w.reject(changes), run });
}
