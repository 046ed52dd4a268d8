"use client";
import { Check, CircleAlert, Info, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { setMessagePlace, type Message } from "#components/ui/toast.tsx";

/** Failures stay until dismissed or replaced. */
const SHOWN_MS = 8000;

const icons = { success: Check, error: CircleAlert, info: Info };
const tones = { success: "text-approve", error: "text-reject", info: "text-info" };

/**
 * While the desk is open, messages have a place of their own and cover nothing.
 *
 * @param cardId the card that is shown
 */
export function useDeskMessage(cardId: number | undefined): { message: Message | null; dismiss: () => void } {
  const [message, setMessage] = useState<Message | null>(null);
  const dismiss = useCallback(() => setMessage(null), []);
  useEffect(() => {
    setMessagePlace(setMessage);
    return () => setMessagePlace(null);
  }, []);
  useEffect(() => setMessage((now) => (now?.id === "card" ? null : now)), [cardId]);
  useEffect(() => {
    if (message === null || message.tone === "error") return;
    const timer = setTimeout(() => setMessage((now) => (now === message ? null : now)), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return { message, dismiss };
}

export interface DeskMessageProps {
  message: Message | null;
  onDismiss: () => void;
  className: string;
}

export function DeskMessage({ message, onDismiss, className }: DeskMessageProps) {
  const Icon = message ? icons[message.tone] : null;
  const frame = useRef<HTMLElement>(null);
  // The key that moves the focus to messages on other pages, too.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && event.code === "KeyT") frame.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <section ref={frame} tabIndex={-1} aria-label="Desk messages" className={className}>
      <div role="status">
        {message && Icon ? (
          <div className="flex items-start gap-2 rounded-md border border-line bg-raised py-1.5 ps-2 pe-1 text-13">
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", tones[message.tone])} />
            <div className="min-w-0 flex-1 wrap-anywhere">
              <p className="font-medium">{message.title}</p>
              {message.description ? <p className="text-muted">{message.description}</p> : null}
              {message.undo ? (
                <Button
                  size="sm"
                  className="mt-1"
                  onClick={() => {
                    onDismiss();
                    message.undo?.();
                  }}
                >
                  Undo
                </Button>
              ) : null}
            </div>
            <button
              type="button"
              aria-label="Dismiss message"
              title="Dismiss message"
              onClick={onDismiss}
              className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-wash hover:text-text pointer-coarse:size-11 [&_svg]:size-4"
            >
              <X aria-hidden />
            </button>
          </div>
        ) : null}
      </div>
    </section>
  );
}
