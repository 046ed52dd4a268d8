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
import type { KeyAction } from "#lib/client/desk/keys.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";

import type { CardAction } from "./author-actions.tsx";

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
      ["approve", "Approve", Check],
      ["reject", "Reject", X],
      ["skip", "Skip", SkipForward],
      ["note", "Note", MessageSquareText],
      ["checks", "Checks", ScanSearch],
      ["open", "Open original", ExternalLink],
      ["block_author", "Block", Ban],
    ];
    return {
      about: {
        name: `Post by ${card.author_account}`,
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
                  name: `Block everyone on ${hostOf(card.author_account)}`,
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
