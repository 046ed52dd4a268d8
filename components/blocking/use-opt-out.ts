"use client";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { countAction, isOutdated, useBlocking } from "./use-blocking.ts";

const w = words.optOuts;

export type OptOutResolution = "confirmed" | "dismissed";

/**
 * Decides about a reported opt-out. A decision that concerns several posts, or deletes one, is asked with its figures.
 *
 * @param onChange after the decision, with its resolution; after its undo, or the decision of somebody else, without
 */
export function useOptOut(account: string, onChange: (made?: OptOutResolution) => void) {
  const { once, question, close, setQuestion, offerUndo } = useBlocking();

  const decide = async (resolution: OptOutResolution, token: string): Promise<void> => {
    await apiFetch(`/opt-outs/${encodeURIComponent(account)}`, {
      method: "PUT",
      body: { resolution, preview: token },
    });
    offerUndo(token, w.done[resolution](account), { name: account, restored: () => onChange() });
    onChange(resolution);
  };
  const fail = (thrown: unknown) => {
    const failure = asFailure(thrown);
    notifyFailed(w.failed, failure);
    if (failure.status === 404) onChange();
  };
  const ask = async (resolution: OptOutResolution): Promise<void> => {
    const { token, counts, warnings } = await countAction("opt_out", { account, resolution });
    const { released = 0, held = 0, deleted = 0 } = counts;
    if (released + held <= 1 && warnings.length === 0) return decide(resolution, token);
    const run = async () => {
      try {
        await decide(resolution, token);
        setQuestion(null);
      } catch (thrown) {
        if (!isOutdated(thrown)) {
          setQuestion(null);
          return fail(thrown);
        }
        notifyInfo(words.actions.countedAgain);
        await ask(resolution).catch(fail);
      }
    };
    const lines =
      resolution === "confirmed"
        ? [...(deleted > 0 ? [w.deletes(deleted)] : []), w.blocks(account)]
        : [w.released(released), ...(held > 0 ? [w.alsoHeld(held)] : [])];
    setQuestion({ title: w.title[resolution](account), lines, warnings, action: w.action[resolution], run });
  };
  return {
    question,
    close,
    decide: (resolution: OptOutResolution) => void once(account, () => ask(resolution).catch(fail)),
  };
}
