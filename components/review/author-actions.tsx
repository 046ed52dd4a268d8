"use client";
import { Ban, Star, StarOff } from "lucide-react";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import * as words from "#components/words/desk.ts";
import { keySign } from "#lib/desk/keys.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";

export type CardAction = "trust" | "block" | "domain" | "hashtag";

interface CardActsProps {
  card: DeckCard;
  onAct: (act: CardAction, card: DeckCard) => void;
}

/** At the side two buttons share a line. */
const narrow = "aside:[&_svg]:hidden";

export function AuthorActions({ card, onAct }: CardActsProps) {
  const mayManage = useCan("admin");
  const keys = useDeskKeyMap();
  const trusted = card.author_history.standing === "trusted";
  return (
    <div className="flex flex-wrap gap-1.5">
      {card.author_blocked || !mayManage ? null : (
        <Button
          size="sm"
          aria-pressed={trusted}
          className={narrow}
          icon={trusted ? <StarOff aria-hidden /> : <Star aria-hidden />}
          {...(keys ? { kbd: keySign(keys.trust_author) } : {})}
          onClick={() => onAct("trust", card)}
        >
          {trusted ? words.post.untrust : words.post.trust}
        </Button>
      )}
      {card.author_blocked ? null : (
        <Button
          size="sm"
          className={narrow}
          icon={<Ban aria-hidden />}
          aria-haspopup="dialog"
          {...(keys ? { kbd: keySign(keys.block_author) } : {})}
          onClick={() => onAct("block", card)}
        >
          {words.post.block}
        </Button>
      )}
    </div>
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
      {words.post.blockHashtag}
    </Button>
  );
}
