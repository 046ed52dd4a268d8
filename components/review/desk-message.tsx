"use client";
import { Check, CircleAlert, Info, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { setMessagePlace, type Message } from "#components/ui/toast.tsx";

/** Failures stay until dismissed or replaced. */
const SHOWN_MS = 8000;

const icons = { success: Check, error: CircleAlert, info: Info };
const tones = { success: "text-approve", error: "text-reject", info: "text-info" };

/**
 * While the desk is open, messages lie over the foot of the card and move nothing.
 *
 * @param cardId the card that is shown
 */
export function DeskMessage({ cardId }: { cardId: number | undefined }) {
  const [message, setMessage] = useState<Message | null>(null);
  const onDismiss = () => setMessage(null);
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
    <section
      ref={frame}
      tabIndex={-1}
      aria-label="Desk messages"
      className="absolute inset-x-3 bottom-2 z-10 desk:inset-x-5 wide:me-62"
    >
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
