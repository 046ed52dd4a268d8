"use client";
import { notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { BlockKind } from "#lib/filters/schema.ts";
import { blockPaths, countAction, type Blocking } from "./use-blocking.ts";

const w = words.blockQuestions;

/** Unblocks after a question that `blocking` holds. Apart from it, because the desk only blocks. */
export function useUnblock({ once, setQuestion, offerUndo }: Blocking) {
  const ask = async (kind: BlockKind, id: number, name: string): Promise<void> => {
    const { token, counts } = await countAction(`unblock_${kind}`, { id });
    const { released = 0, still_held: still = 0 } = counts;
    const run = async () => {
      try {
        await apiFetch(`${blockPaths[kind]}/${id}?preview=${token}`, { method: "DELETE" });
        offerUndo(token, w.unblocked(name, released), { name });
      } catch (thrown) {
        notifyFailed(words.blocking.failed, asFailure(thrown));
      }
      setQuestion(null);
    };
    if (released <= 1) return run();
    const lines = [w.released(released), ...(still > 0 ? [w.stillHeld(still)] : [])];
    setQuestion({ title: w.unblockTitle(name), lines, warnings: [], action: w.unblock, run });
  };
  return (kind: BlockKind, id: number, name: string) => once(name, () => ask(kind, id, name));
}
