import { useRef, useState } from "react";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";

/** A question before a change that affects several posts. */
export interface ReachQuestion {
  /** Label of the button. */
  action: string;
  /** One choice, or an account and its domain. */
  choices: readonly { title: string; label?: string; lines: readonly string[]; run: () => Promise<void> }[];
}

/** Loaded when first needed. */
const ReachDialog = lazyWithRetry(
  () => import("./reach-dialog.tsx").then((module) => module.ReachDialog),
  LoadingNotice,
);

/** Runs a change that may ask for confirmation first. While one runs, another press does nothing. */
export function useQuestion() {
  const [question, ask] = useState<ReachQuestion | null>(null);
  const [pending, setPending] = useState(false);
  // State updates too late to stop a second press.
  const running = useRef(false);
  /** @param work makes the change, or returns a question whose choices call `start` again */
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
