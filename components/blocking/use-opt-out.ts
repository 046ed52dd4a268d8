"use client";
import { optOutVerbs } from "#components/words.ts";
import { plural } from "#components/format.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { OptOutReach } from "#lib/collect/opt-out-schema.ts";
import { useBlocking } from "./use-blocking.ts";

const done = {
  confirmed: (account: string) => `${account} is forgotten and blocked`,
  dismissed: (account: string) => `Posts by ${account} are no longer held`,
} as const;

const title = {
  confirmed: (account: string) => `Confirm the opt-out of ${account}?`,
  dismissed: (account: string) => `Is the report about ${account} wrong?`,
} as const;

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
    notifyDone(done[resolution](account));
    settle();
    onChange();
  };
  const fail = (thrown: unknown) => {
    const failure = asFailure(thrown);
    notifyFailed("The decision failed", failure);
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
        ? [
            `Deletes all stored posts of this author (${deleted}), with pictures, notes and history texts.`,
            `Blocks ${account}.`,
          ]
        : [
            `Returns ${plural(released, "approved post", "approved posts")} to the queue.`,
            ...(held > 0
              ? [
                  `${plural(held, "approved post", "approved posts")} ${held === 1 ? "stays" : "stay"} held for another reason.`,
                ]
              : []),
          ];
    setQuestion({ title: title[resolution](account), lines, action: optOutVerbs[resolution], run });
  };
  return {
    question,
    close,
    decide: (resolution: OptOutResolution) => void once(account, () => ask(resolution).catch(fail)),
  };
}
