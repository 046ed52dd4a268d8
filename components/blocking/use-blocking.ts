"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import { actionMade, whenUndone } from "#lib/client/actions.ts";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { BlockKind } from "#lib/filters/schema.ts";
import {
  domainTarget,
  type BlockChoice,
  type BlockTarget,
  type ReachQuestion,
  type WaitingChoice,
} from "./reach-question.ts";

const w = words.blocking;
export const blockPaths: Record<BlockKind, string> = {
  user: "/reblog-controls/blocked-users",
  hashtag: "/reblog-controls/blocked-hashtags",
};
const refreshed = /^\/(reblog-controls|curated|posts|authors|stats|actions)/;
/** The figures are no longer those that were shown. */
const OUTDATED = new Set(["reach_grown", "preview_not_valid"]);
export const isOutdated = (thrown: unknown) => OUTDATED.has(asFailure(thrown).code ?? "");

export interface BlockingEvents {
  blocked?: (target: BlockTarget, waiting: WaitingChoice, result: { id: string; rejected: number }) => void;
  /** The undo of `blocked`. */
  restored?: (target: BlockTarget) => void;
  /** Something changed, or was changed back. */
  settled?: () => void;
}

/** Blocks after the server has counted the affected posts. A press while one runs does nothing. */
export function useBlocking(events: BlockingEvents = {}) {
  const [question, setQuestion] = useState<ReachQuestion | null>(null);
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const running = useRef(false);
  const askAgain = useRef<(target: BlockTarget) => Promise<void>>(() => Promise.resolve());

  const settle = useCallback(() => {
    // The desk keeps no answers, so the cache is not part of its first load.
    void import("swr").then(({ mutate }) => mutate((key) => typeof key === "string" && refreshed.test(key)));
    latest.current.settled?.();
  }, []);

  const offerUndo = useCallback(
    (
      token: string,
      title: string,
      { name = "", restored }: { name?: string; restored?: () => void } = {},
    ) => {
      actionMade(token);
      whenUndone(token, () => {
        restored?.();
        settle();
      });
      // A later message about the same name replaces the earlier one.
      notifyDone(title, {
        id: `block ${name.toLowerCase().replace(/^@/, "")}`,
        undo: () => undoById(token, w.undone),
      });
      settle();
    },
    [settle],
  );

  const apply = useCallback(
    async (
      target: BlockTarget,
      { token, counts }: ActionPreview,
      waiting: WaitingChoice,
      confirm: boolean,
    ) => {
      await apiFetch(blockPaths[target.kind], {
        method: "POST",
        body: {
          ...target.body,
          preview: token,
          ...(waiting === "all" ? { reject_waiting: true } : {}),
          ...(waiting === "this" && target.postId !== undefined ? { post_id: target.postId } : {}),
          ...(confirm ? { confirm } : {}),
        },
      });
      const rejected = { all: counts["waiting"] ?? 0, this: 1, none: 0 }[waiting];
      target.onDone?.();
      latest.current.blocked?.(target, waiting, { id: token, rejected });
      offerUndo(token, w.done(target.name, counts["held"] ?? 0, rejected), {
        name: target.name,
        restored: () => latest.current.restored?.(target),
      });
    },
    [offerUndo],
  );

  const ask = useCallback(
    async (target: BlockTarget, isNew = false): Promise<void> => {
      const reach = await countBlock(target);
      const onCard: WaitingChoice =
        target.postId !== undefined && (reach.counts["waiting"] ?? 0) > 0 ? "this" : "none";
      if (!isNew && target.scope === undefined && isQuiet(reach)) return apply(target, reach, onCard, false);
      const choices = [{ target, reach }, ...(await countDomain(target))];
      const run = async (choice: BlockChoice, waiting: WaitingChoice, confirm: boolean) => {
        try {
          await apply(choice.target, choice.reach, waiting, confirm);
          setQuestion(null);
        } catch (thrown) {
          if (isOutdated(thrown)) return askAgain.current(target).catch(close);
          close(thrown);
        }
      };
      const close = (thrown: unknown) => {
        setQuestion(null);
        report(target.name, asFailure(thrown));
      };
      setQuestion({ choices, preset: target.scope === "domain" ? choices.length - 1 : 0, isNew, run });
    },
    [apply],
  );
  useEffect(() => {
    askAgain.current = (target) => ask(target, true);
  }, [ask]);

  /** One at a time. */
  const once = useCallback(async (name: string, work: () => Promise<void>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    try {
      await work();
    } catch (thrown) {
      report(name, asFailure(thrown));
    } finally {
      running.current = false;
    }
  }, []);

  return {
    question,
    close: useCallback(() => setQuestion(null), []),
    /** Failures of the count are thrown, for a form. */
    ask,
    block: useCallback((target: BlockTarget) => once(target.name, () => ask(target)), [once, ask]),
    /** For other changes that are counted first: `use-unblock.ts`, `reject-blocked-button.tsx`. */
    once,
    setQuestion,
    offerUndo,
  };
}

export type Blocking = ReturnType<typeof useBlocking>;

/** Concerns at most one post. */
function isQuiet({ counts, warnings }: ActionPreview): boolean {
  const { held = 0, waiting = 0 } = counts;
  return warnings.length === 0 && held + waiting <= 1;
}

function countBlock({ kind, body }: BlockTarget): Promise<ActionPreview> {
  return countAction(`block_${kind}`, body);
}

/** The block of the account's domain, as a second choice; none when the domain is blocked already. */
async function countDomain(target: BlockTarget): Promise<BlockChoice[]> {
  const domain = domainTarget(target);
  if (domain === null) return [];
  try {
    return [{ target: domain, reach: await countBlock(domain) }];
  } catch (thrown) {
    if (asFailure(thrown).code === "pattern_exists") return [];
    throw thrown;
  }
}

/** Wrong fields are named as in the request that is counted. */
export async function countAction(action: string, body: object): Promise<ActionPreview> {
  try {
    return await apiFetch<ActionPreview>("/actions/preview", { method: "POST", body: { action, body } });
  } catch (thrown) {
    const failure = asFailure(thrown);
    const errors = failure.errors.map((each) => ({ ...each, path: each.path.replace(/^body\./, "") }));
    throw new ApiFailure({ ...failure, errors });
  }
}

function report(name: string, failure: ApiFailure): void {
  if (failure.code === "pattern_exists" || failure.code === "hashtag_blocked_already")
    notifyInfo(w.alreadyBlocked(name));
  else notifyFailed(w.failed, failure);
}
