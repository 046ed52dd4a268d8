"use client";
import { useEffect, useRef, useState } from "react";
import { MessageLine, useMessageKey } from "#components/ui/toaster.tsx";
import { setMessagePlace, type Message } from "#components/ui/toast.tsx";

/** Failures stay until dismissed or replaced. */
const SHOWN_MS = 8000;

/**
 * While the desk is open, messages lie over the foot of the card and move nothing.
 *
 * @param cardId the card that is shown
 */
export function DeskMessage({ cardId }: { cardId: number | undefined }) {
  const [message, setMessage] = useState<Message | null>(null);
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
  const frame = useRef<HTMLElement>(null);
  useMessageKey(frame);
  return (
    <section
      ref={frame}
      tabIndex={-1}
      aria-label="Desk messages"
      className="absolute inset-x-3 bottom-2 z-10 desk:inset-x-5 wide:me-62"
    >
      <div role="status">
        {message ? <MessageLine message={message} onClose={() => setMessage(null)} /> : null}
      </div>
    </section>
  );
}
