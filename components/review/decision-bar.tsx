import { Check, ListX, MessageSquareText, SkipForward, Undo2, X, type LucideIcon } from "lucide-react";
import { useDeskKeyMap } from "#components/shell/key-context.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { actionWords, keySign, type KeyAction } from "#lib/client/desk/keys.ts";
import { isDoubleClick } from "./is-double-click.ts";
import type { OnPress } from "./use-deck-actions.ts";

export interface DecisionBarProps {
  disabled: boolean;
  canUndo: boolean;
  hasNote: boolean;
  onPress: OnPress;
  /** Opens the list of reasons on screens without the side column. */
  onReasons: () => void;
}

const small = buttonClass(
  "quiet",
  "md",
  "relative h-12 px-3 max-desk:h-11 max-desk:gap-1.5 max-desk:border-0 max-desk:bg-transparent max-desk:px-0 max-desk:text-13 short:px-1.5",
);

/** Reject is left and approve right, as with swipes. */
export function DecisionBar({ disabled, canUndo, hasNote, onPress, onReasons }: DecisionBarProps) {
  const keys = useDeskKeyMap();
  const button = (action: KeyAction, Icon: LucideIcon, isOff = disabled) => {
    const isLarge = action === "approve" || action === "reject";
    const look = isLarge
      ? buttonClass(action, "touch", "h-12 min-w-0 flex-1 basis-0 max-desk:h-14 short:h-11 [&_svg]:size-5")
      : small;
    return (
      <button
        type="button"
        aria-disabled={isOff || undefined}
        aria-keyshortcuts={keys?.[action]}
        onClick={(event) => {
          const isRepeated = isDoubleClick(event) && action !== "undo";
          if (!isOff && !isRepeated) onPress({ action });
        }}
        className={look}
      >
        <Icon aria-hidden {...(isLarge ? { strokeWidth: 2.5 } : {})} />
        <span className={isLarge ? "" : "slim:hidden-visually"}>{actionWords[action]}</span>
        {keys ? (
          <Kbd tone={isLarge ? "on" : "plain"} className="max-desk:hidden short:hidden">
            {keySign(keys[action])}
          </Kbd>
        ) : null}
        {action === "note" && hasNote ? (
          <span aria-hidden className="absolute end-1.5 top-1.5 size-2 rounded-full bg-accent" />
        ) : null}
      </button>
    );
  };
  return (
    <div
      role="group"
      aria-label="Decide"
      className="grid shrink-0 grid-cols-2 gap-2 max-desk:px-3 max-desk:pb-2 short:flex short:items-center wide:flex wide:items-center aside:me-62"
    >
      {button("reject", X)}
      <div className="grid auto-cols-fr grid-flow-col max-wide:order-first max-wide:col-span-2 short:order-none desk:gap-2 wide:flex wide:items-center">
        {button("undo", Undo2, !canUndo)}
        {button("note", MessageSquareText)}
        <button
          type="button"
          aria-disabled={disabled || undefined}
          onClick={() => !disabled && onReasons()}
          className={cn(small, "aside:hidden")}
        >
          <ListX aria-hidden />
          <span className="slim:hidden-visually">Reason</span>
        </button>
        {button("skip", SkipForward)}
      </div>
      {button("approve", Check)}
    </div>
  );
}
