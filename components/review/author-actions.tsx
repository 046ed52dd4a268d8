"use client";
import { Ban } from "lucide-react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { keySign } from "#lib/client/desk/keys.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";

export type CardAction = "block" | "domain" | "hashtag";

interface CardActsProps {
  card: DeckCard;
  onAct: (act: CardAction, card: DeckCard) => void;
}

export function AuthorActions({ card, onAct }: CardActsProps) {
  const keys = useDeskKeyMap();
  if (card.author_blocked) return null;
  return (
    <Button
      size="sm"
      className="self-start"
      icon={<Ban aria-hidden />}
      aria-haspopup="dialog"
      {...(keys ? { kbd: keySign(keys.block_author) } : {})}
      onClick={() => onAct("block", card)}
    >
      Block
    </Button>
  );
}

export function HashtagAction({ card, onAct }: CardActsProps) {
  const mayManage = useCan("admin");
  const keys = useDeskKeyMap();
  if (!mayManage || card.hashtags.every((tag) => card.blocked_hashtags.includes(tag))) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={<Ban aria-hidden />}
      {...(keys ? { kbd: keySign(keys.block_hashtag) } : {})}
      onClick={() => onAct("hashtag", card)}
      className="text-muted hover:text-text"
    >
      Block hashtag
    </Button>
  );
}
