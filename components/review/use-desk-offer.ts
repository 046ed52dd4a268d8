"use client";
import {
  Ban,
  Check,
  ExternalLink,
  MessageSquareText,
  ScanSearch,
  ServerOff,
  SkipForward,
  X,
  type LucideIcon,
} from "lucide-react";
import { hostOf } from "#components/blocking/author-target.ts";
import { usePageOffer } from "#components/shell/page-offers.ts";
import * as words from "#components/words/desk.ts";
import type { KeyAction } from "#lib/client/desk/keys.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";

import type { CardAction } from "./author-actions.tsx";

const w = words.review;

/** The palette acts on the card on top. */
export function useDeskOffer(
  card: DeckCard | undefined,
  mayManage: boolean,
  act: (action: KeyAction, at: number) => void,
  onCardAct: (act: CardAction, card: DeckCard) => void,
): void {
  usePageOffer(() => {
    if (!card) return {};
    const offers: [KeyAction, string, LucideIcon][] = [
      ["approve", w.approve, Check],
      ["reject", w.reject, X],
      ["skip", w.skip, SkipForward],
      ["note", w.note, MessageSquareText],
      ["checks", words.post.checks, ScanSearch],
      ["open", w.openOriginal, ExternalLink],
      ["block_author", words.post.block, Ban],
    ];
    return {
      about: {
        name: words.post.by(card.author_account),
        actions: [
          ...offers.map(([action, name, icon]) => ({
            id: `card ${action}`,
            name,
            icon,
            run: () => act(action, performance.now()),
          })),
          ...(mayManage && !card.author_blocked
            ? [
                {
                  id: "card domain",
                  name: words.post.blockDomain(hostOf(card.author_account)),
                  icon: ServerOff,
                  run: () => onCardAct("domain", card),
                },
              ]
            : []),
        ],
      },
    };
  });
}
