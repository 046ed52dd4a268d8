"use client";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { OptOutReach } from "#lib/collect/opt-out-schema.ts";
import { useBlocking } from "./use-blocking.ts";

const w = words.optOuts;

type OptOutResolution = "confirmed" | "dismissed";

/**
 * Decides about a reported opt-out. A decision that concerns several posts, or deletes one, is asked with its figures.
 *
 * @param onChange after the decision, or that of somebody else
 */
export function useOptOut(account: string, onChange: () => void) {
  const { once, question, close, setQuestion, settle } = useBlocking();
  const path = `/opt-outs/${encodeURIComponent(account)}`;

  const decide = async (resolution: OptOutResolution): Promise<void> => {
    await apiFetch(path, { method: "PUT", body: { resolution } });
    notifyDone(w.done[resolution](account));
    settle();
    onChange();
  };
  const fail = (thrown: unknown) => {
    const failure = asFailure(thrown);
    notifyFailed(w.failed, failure);
    if (failure.status === 404) onChange();
  };
  const ask = async (resolution: OptOutResolution): Promise<void> => {
    const { released, held, deleted } = await apiFetch<OptOutReach>(`${path}?dry_run=true`, {
      method: "PUT",
      body: { resolution },
    });
    if (released + held <= 1 && deleted === 0) return decide(resolution);
    const run = async () => {
      await decide(resolution).catch(fail);
      setQuestion(null);
    };
    const lines =
      resolution === "confirmed"
        ? [w.deletes(deleted), w.blocks(account)]
        : [w.released(released), ...(held > 0 ? [w.alsoHeld(held)] : [])];
    setQuestion({ title: w.title[resolution](account), lines, action: w.action[resolution], run });
  };
  return {
    question,
    close,
    decide: (resolution: OptOutResolution) => void once(account, () => ask(resolution).catch(fail)),
  };
}
