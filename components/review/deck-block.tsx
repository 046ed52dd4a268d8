"use client";
import { useEffect, useRef, useState } from "react";
import { hostOf } from "#components/blocking/author-target.ts";
import { ReachDialog } from "#components/blocking/reach-dialog.tsx";
import type { BlockTarget } from "#components/blocking/reach-question.ts";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { sameTag, type CardMarks } from "./use-card-marks.ts";
import { undoBatchAtDesk } from "./use-desk-undo.ts";
import type { Desk } from "./use-desk.ts";

export interface DeckBlockProps {
  target: BlockTarget;
  desk: Desk;
  marks: CardMarks;
  onClose: () => void;
}

/**
 * A block at the desk, loaded with the first one. Cards that were rejected with the block leave the desk, and the key of
 * undo takes the block back.
 */
export function DeckBlock({ target, desk, marks, onClose }: DeckBlockProps) {
  const { block, question, close } = useBlocking(eventsOf(desk, marks));
  const [isAsked, setIsAsked] = useState(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void block(target).then(() => setIsAsked(true));
  }, [block, target]);
  const isDone = isAsked && question === null;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  return question ? <ReachDialog question={question} onClose={close} /> : null;
}

function eventsOf({ store }: Desk, marks: CardMarks) {
  const accountsOn = (domain: string) =>
    new Set(
      store
        .getState()
        .cards.map((card) => card.author_account)
        .filter((account) => isOn(account, domain)),
    );
  const mark = ({ kind, name, domain }: BlockTarget, on: boolean) => {
    if (kind === "hashtag") marks.blockedHashtag(name.slice(1), on);
    else if (domain === undefined) marks.blocked(name, on);
    else for (const account of accountsOn(domain)) marks.blocked(account, on);
  };
  return {
    blocked: (target: BlockTarget, { path, rejected }: { path: string; rejected: number }) => {
      mark(target, true);
      if (rejected === 0) return undefined;
      const posts = store.getState().cards.filter((card) => isRejected(card, target));
      const at = new Date().toISOString();
      /** Removing the block returns the posts. */
      const undo = async () => {
        await apiFetch(path, { method: "DELETE" });
        mark(target, false);
        return { restored: rejected, detail: undefined };
      };
      store.batchDone({ id: path, decision: "reject", at, name: target.name, count: rejected, posts, undo });
      return () => undoBatchAtDesk(store, path);
    },
  };
}

function isRejected(card: DeckCard, { kind, name, domain }: BlockTarget): boolean {
  if (kind === "hashtag") return card.hashtags.some((tag) => sameTag(`#${tag}`, name));
  return domain === undefined ? card.author_account === name : isOn(card.author_account, domain);
}

/** A domain with all hosts below it. */
function isOn(account: string, domain: string): boolean {
  const host = hostOf(account);
  return host === domain || host.endsWith(`.${domain}`);
}
