"use client";
import { formatCount } from "#components/format.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import type { AddedBlock, BlockKind, BlockReach } from "#lib/blocking/schema.ts";
import { asFailure, type ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { domainTarget, type BlockChoice, type BlockTarget, type ReachQuestion } from "./reach-question.ts";

const done = (name: string, held: number, rejected: number) =>
  [
    `${name} is blocked`,
    ...(held > 0 ? [`${formatCount(held)} held`] : []),
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
  ].join(", ");

export const blockPaths: Record<BlockKind, string> = {
  user: "/reblog-controls/blocked-users",
  hashtag: "/reblog-controls/blocked-hashtags",
};
const refreshed = /^\/(reblog-controls|curated|posts|authors|stats)/;

export interface BlockingEvents {
  /**
   * @param result path of the block, and the number of rejected posts
   * @returns its undo, for the message
   */
  blocked?: (target: BlockTarget, result: { path: string; rejected: number }) => (() => void) | undefined;
  /** Something changed. */
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

  const settle = useCallback(() => {
    // The desk keeps no answers, so the cache is not part of its first load.
    void import("swr").then(({ mutate }) => mutate((key) => typeof key === "string" && refreshed.test(key)));
    latest.current.settled?.();
  }, []);

  const apply = useCallback(
    async ({ target, reach }: BlockChoice, reject_reason?: number | null) => {
      const path = blockPaths[target.kind];
      const { id, held, rejected } = await apiFetch<AddedBlock<BlockKind>>(
        withQuery(path, { as_of: reach.as_of }),
        { method: "POST", body: { ...target.body, reject_reason } },
      );
      target.onDone?.();
      const undo = latest.current.blocked?.(target, { path: `${path}/${id}`, rejected });
      notifyDone(done(target.name, held, rejected), undo && { undo });
      settle();
    },
    [settle],
  );

  const ask = useCallback(
    async (target: BlockTarget): Promise<void> => {
      const reach = await countBlock(target);
      if (target.scope === undefined && isQuiet(reach)) return apply({ target, reach });
      const choices = [{ target, reach }, ...(await countDomain(target))];
      const run = async (choice: BlockChoice, reason: number | null) => {
        try {
          await apply(choice, reason);
        } catch (thrown) {
          report(choice.target.name, asFailure(thrown));
        }
        setQuestion(null);
      };
      setQuestion({ choices, preset: target.scope === "domain" ? choices.length - 1 : 0, run });
    },
    [apply],
  );

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
    /** Its posts are released; those that it rejected when it was set wait for review again. */
    unblock: useCallback(
      (kind: BlockKind, id: number, name: string) =>
        once(name, async () => {
          await apiFetch(`${blockPaths[kind]}/${id}`, { method: "DELETE" });
          notifyDone(`${name} is no longer blocked`);
          settle();
        }),
      [once, settle],
    ),
    /** For other changes that are counted first. */
    once,
    setQuestion,
    settle,
  };
}

export type Blocking = ReturnType<typeof useBlocking>;

/** Concerns at most one post. */
function isQuiet({ held, rejected, own_streams }: BlockReach): boolean {
  return own_streams.length === 0 && held + rejected <= 1;
}

function countBlock({ kind, body }: BlockTarget): Promise<BlockReach> {
  return apiFetch<BlockReach>(`${blockPaths[kind]}?dry_run=true`, { method: "POST", body });
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

function report(name: string, failure: ApiFailure): void {
  if (failure.code === "pattern_exists" || failure.code === "hashtag_blocked_already")
    notifyInfo(`${name} is already on the block list`);
  else notifyFailed("The block list was not changed", failure);
}
