"use client";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";

const w = words.filters;

export function RejectBlockedButton() {
  const mayManage = useCan("admin");
  const blocking = useBlocking();
  if (!mayManage) return null;
  return (
    <>
      <Button title={w.rejectBlockedHint} onClick={() => void blocking.rejectBlocked()}>
        {w.rejectBlockedNow}
      </Button>
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
    </>
  );
}
