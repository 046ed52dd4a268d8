import { Check, CircleAlert, Info, X } from "lucide-react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useStore } from "#lib/client/use-store.ts";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { closeToast, toasts, type Message, type Toast } from "./toast.tsx";

const icons = { success: Check, error: CircleAlert, info: Info };
const tones = { success: "text-approve", error: "text-reject", info: "text-info" };

const none: readonly Toast[] = [];

/** Shows toasts above dialogs and bottom bars (`--messages-above` in globals.css). */
export function Toaster() {
  const shown = useStore(toasts, none);
  const region = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  useMessageKey(region);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Messages"
      aria-live="polite"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
      }}
      className="pointer-events-none fixed inset-x-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom)+var(--messages-above,0rem))] z-60 flex flex-col gap-2 desk:start-auto desk:end-[var(--messages-end,1rem)] desk:bottom-[var(--messages-above,1rem)] desk:w-90"
    >
      {shown.map((toast) => (
        <ToastLine
          key={toast.key}
          toast={toast}
          onClose={() => {
            const hadFocus = region.current?.contains(document.activeElement);
            closeToast(toast.key);
            if (hadFocus && before.current instanceof HTMLElement) before.current.focus();
          }}
        />
      ))}
    </section>
  );
}

/** A new toast ignores clicks for this long: they were meant for the button under it. */
const PRESS_MS = 300;

/** A toast that stays while it has the pointer or the focus. */
function ToastLine({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const [isNew, setIsNew] = useState(true);
  const [isHeld, setIsHeld] = useState(false);
  const { key, duration } = toast;
  useEffect(() => {
    const timer = setTimeout(() => setIsNew(false), PRESS_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isHeld || duration === Infinity) return;
    const timer = setTimeout(() => closeToast(key), duration);
    return () => clearTimeout(timer);
  }, [isHeld, key, duration]);
  return (
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={cn("animate-rise-in", !isNew && "pointer-events-auto")}
    >
      <MessageLine message={toast} onClose={onClose} />
    </div>
  );
}

function MessageLine({ message, onClose }: { message: Message; onClose: () => void }) {
  const Icon = icons[message.tone];
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-raised py-1.5 ps-2 pe-1 text-13 shadow-hairline">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", tones[message.tone])} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{message.title}</p>
        {message.description ? <p className="text-muted">{message.description}</p> : null}
        {message.undo ? (
          <Button
            size="sm"
            onClick={() => {
              onClose();
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
        onClick={onClose}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-wash hover:text-text pointer-coarse:size-11 [&_svg]:size-4"
      >
        <X aria-hidden />
      </button>
    </div>
  );
}

/** Alt-T moves the focus to the messages. */
function useMessageKey(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && event.code === "KeyT" && region.current?.textContent) region.current.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [region]);
}
