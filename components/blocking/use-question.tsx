import { useRef, useState } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";

/** Asked before a change that concerns several posts. */
export interface ReachQuestion {
  /** On the button. */
  action: string;
  /** An account and its domain, or one. */
  choices: readonly { title: string; label?: string; lines: readonly string[]; run: () => Promise<void> }[];
}

/** Loaded with the first question. */
const ReachDialog = lazyWithRetry(
  () => import("./reach-dialog.tsx").then((module) => module.ReachDialog),
  LoadingNotice,
);

/** For changes that are counted first. One at a time: a press while one runs does nothing. */
export function useQuestion() {
  const [question, ask] = useState<ReachQuestion | null>(null);
  const [pending, setPending] = useState(false);
  // State updates too late to stop a second press.
  const running = useRef(false);
  /** `work` ends with a change, or with a question whose choices call this again. */
  const start = async (
    work: () => Promise<ReachQuestion | void>,
    failed: (thrown: unknown) => void,
  ): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setPending(true);
    const asked = await work().catch(failed);
    running.current = false;
    setPending(false);
    ask(asked ?? null);
  };
  const dialog = question ? (
    <ReachDialog question={question} pending={pending} onClose={() => ask(null)} />
  ) : null;
  return { start, ask, dialog, pending };
}
