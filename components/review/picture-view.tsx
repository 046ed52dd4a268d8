"use client";
import { Check, SkipForward, Undo2, X, type LucideIcon } from "lucide-react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { Lightbox, type LightboxProps } from "#components/post/lightbox.tsx";
import { Button } from "#components/ui/button.tsx";
import { actionWords, keySign, readPress, type Press } from "#lib/client/desk/keys.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { OnPress } from "./use-deck-actions.ts";

export interface PictureViewProps extends Pick<LightboxProps, "index" | "onIndex" | "onClose"> {
  card: DeckCard;
  canUndo: boolean;
  onPress: OnPress;
}

const actions = ["reject", "undo", "skip", "approve"] as const;
const icons: Record<(typeof actions)[number], LucideIcon> = {
  reject: X,
  undo: Undo2,
  skip: SkipForward,
  approve: Check,
};

/** An enlarged picture. Decisions close it: the next post is shown whole first. */
export function PictureView({ card, canUndo, onPress, ...view }: PictureViewProps) {
  const keys = useDeskKeyMap();
  const press = (pressed: Press) => {
    view.onClose();
    if (!("action" in pressed && pressed.action === "enlarge")) onPress(pressed);
  };
  const onKey = (event: KeyboardEvent) => {
    const pressed = readPress(event, keys);
    const isAllowed =
      pressed && ("reason" in pressed || [...actions, "enlarge"].some((action) => action === pressed.action));
    if (!isAllowed) return;
    event.preventDefault();
    press(pressed);
  };
  return (
    <Lightbox {...view} post={card} onKey={onKey}>
      <div
        role="group"
        aria-label="Decide"
        className="flex shrink-0 justify-center gap-2 border-t border-line px-3 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      >
        {actions.map((action) => {
          const Icon = icons[action];
          const isOff = action === "undo" && !canUndo;
          return (
            <Button
              key={action}
              icon={<Icon aria-hidden />}
              {...(action === "approve" || action === "reject" ? { variant: action } : {})}
              {...(keys ? { kbd: keySign(keys[action]) } : {})}
              aria-disabled={isOff || undefined}
              onClick={() => !isOff && press({ action })}
              // On a phone all four fit into one row.
              className="max-desk:flex-1 max-desk:px-2 max-desk:[&_kbd]:hidden max-desk:[&>svg]:hidden"
            >
              {actionWords[action]}
            </Button>
          );
        })}
      </div>
    </Lightbox>
  );
}
