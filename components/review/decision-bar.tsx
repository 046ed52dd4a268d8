"use client";
import { Check, ListX, MessageSquareText, SkipForward, Undo2, X } from "lucide-react";
import type { ReactNode } from "react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { keySign, type KeyAction } from "#lib/client/desk/keys.ts";

export interface DecisionBarProps {
  disabled: boolean;
  canUndo: boolean;
  hasNote: boolean;
  onAct: (action: KeyAction, at: number) => void;
  /** For screens without the side column. */
  onReasons: () => void;
}

/** Reject left and approve right, as the swipe directions. */
export function DecisionBar({ disabled, canUndo, hasNote, onAct, onReasons }: DecisionBarProps) {
  return (
    <div
      role="group"
      aria-label="Decide"
      className="grid shrink-0 grid-cols-2 gap-2 max-desk:px-3 max-desk:pb-2 short:flex short:items-center wide:flex wide:items-center"
    >
      <LargeButton
        action="reject"
        look="reject"
        icon={<X aria-hidden strokeWidth={2.5} />}
        {...{ disabled, onAct }}
      >
        Reject
      </LargeButton>
      <div className="grid auto-cols-fr grid-flow-col max-wide:order-first max-wide:col-span-2 short:order-none desk:gap-2 wide:flex wide:items-center">
        <SmallButton
          action="undo"
          icon={<Undo2 aria-hidden />}
          label="Undo"
          disabled={!canUndo}
          onAct={onAct}
        />
        <SmallButton
          action="note"
          icon={<MessageSquareText aria-hidden />}
          label="Note"
          disabled={disabled}
          marked={hasNote}
          onAct={onAct}
        />
        <button
          type="button"
          aria-disabled={disabled || undefined}
          onClick={() => !disabled && onReasons()}
          className={cn(small, "aside:hidden")}
        >
          <ListX aria-hidden />
          <span className="slim:hidden-visually">Reason</span>
        </button>
        <SmallButton
          action="skip"
          icon={<SkipForward aria-hidden />}
          label="Skip"
          disabled={disabled}
          onAct={onAct}
        />
      </div>
      <LargeButton
        action="approve"
        look="approve"
        icon={<Check aria-hidden strokeWidth={2.5} />}
        {...{ disabled, onAct }}
      >
        Approve
      </LargeButton>
    </div>
  );
}

interface ActionProps {
  action: KeyAction;
  icon: ReactNode;
  disabled: boolean;
  onAct: (action: KeyAction, at: number) => void;
}

function LargeButton({
  action,
  look,
  icon,
  disabled,
  onAct,
  children,
}: ActionProps & { look: "approve" | "reject"; children: ReactNode }) {
  const keys = useDeskKeyMap();
  return (
    <button
      type="button"
      aria-disabled={disabled || undefined}
      aria-keyshortcuts={keys?.[action]}
      onClick={(event) => !disabled && onAct(action, event.timeStamp)}
      className={buttonClass(
        look,
        "touch",
        "h-12 min-w-0 flex-1 basis-0 max-desk:h-14 short:h-11 slim:px-1 slim:text-14 [&_svg]:size-5 slim:[&_svg]:hidden",
      )}
    >
      {icon}
      {children}
      {keys ? (
        <Kbd tone="on" className="slim:hidden">
          {keySign(keys[action])}
        </Kbd>
      ) : null}
    </button>
  );
}

const small = buttonClass(
  "quiet",
  "md",
  "relative h-12 px-3 max-desk:h-11 max-desk:gap-1.5 max-desk:border-0 max-desk:bg-transparent max-desk:px-0 max-desk:text-13 short:px-1.5",
);

function SmallButton({
  action,
  icon,
  label,
  disabled,
  marked = false,
  onAct,
}: ActionProps & { label: string; marked?: boolean }) {
  const keys = useDeskKeyMap();
  return (
    <button
      type="button"
      aria-disabled={disabled || undefined}
      aria-keyshortcuts={keys?.[action]}
      onClick={(event) => !disabled && onAct(action, event.timeStamp)}
      className={small}
    >
      {icon}
      <span className="slim:hidden-visually">{label}</span>
      {keys ? <Kbd className="max-desk:hidden short:hidden">{keySign(keys[action])}</Kbd> : null}
      {marked ? (
        <span aria-hidden className="absolute end-1.5 top-1.5 size-2 rounded-full bg-accent" />
      ) : null}
    </button>
  );
}
