"use client";
import { Check, CircleAlert, Info } from "lucide-react";
import { useEffect, useRef } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { buttonClass } from "./button.tsx";
import { setShowToast, type Message } from "./toast.tsx";

/** Above bottom bars (`--messages-above` in globals.css). */
export function Toasts() {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => (region.current ? ignoreStrayPresses(region.current) : undefined), []);
  // Sonner, whose effects run before this one, keeps no toasts from before.
  useEffect(() => {
    setShowToast(show);
    return () => setShowToast(null);
  }, []);
  return (
    <div ref={region} className="contents">
      <Sonner
        position="bottom-right"
        visibleToasts={3}
        style={{ fontFamily: "inherit" }}
        offset={{ bottom: "var(--messages-above, 1rem)", right: 16 }}
        mobileOffset={{
          bottom: "calc(4.5rem + env(safe-area-inset-bottom) + var(--messages-above, 0rem))",
          left: 12,
          right: 12,
        }}
        containerAriaLabel="Messages"
        icons={{
          success: <Check aria-hidden className="size-4 text-approve" />,
          error: <CircleAlert aria-hidden className="size-4 text-reject" />,
          info: <Info aria-hidden className="size-4 text-info" />,
        }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-center gap-2.5 rounded-lg border border-line bg-raised py-2 ps-3 pe-2 text-13 text-text shadow-hairline desk:w-90",
            content: "min-w-0 flex-1 py-1",
            title: "font-medium",
            description: "text-muted wrap-anywhere",
            actionButton: buttonClass("ghost", "sm", "text-accent"),
          },
        }}
      />
    </div>
  );
}

function show({ tone, title, undo, ...options }: Message, duration: number | undefined): void {
  toast[tone](title, {
    ...(duration === undefined ? {} : { duration }),
    ...options,
    ...(duration === Infinity ? { action: { label: "Dismiss", onClick: () => undefined } } : {}),
    ...(undo ? { action: { label: "Undo", onClick: undo } } : {}),
  });
}

/** Milliseconds from a release to its click. */
const CLICK_FOLLOWS_MS = 300;

/**
 * Presses that began outside the toasts pass through them: a toast sliding in would receive the release,
 * and the button under it would not be clicked.
 *
 * @returns removes the listeners
 */
function ignoreStrayPresses(region: HTMLElement): () => void {
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restore = () => {
    clearTimeout(timer);
    region.style.pointerEvents = "";
  };
  const press = ({ target }: Event) => {
    restore();
    if (!(target instanceof Node && region.contains(target))) region.style.pointerEvents = "none";
  };
  // Without a click: moved away, or on a disabled control.
  const release = () => {
    clearTimeout(timer);
    timer = setTimeout(restore, CLICK_FOLLOWS_MS);
  };
  const listeners = { pointerdown: press, pointerup: release, pointercancel: release, click: restore };
  for (const [event, listener] of Object.entries(listeners))
    window.addEventListener(event, listener, { capture: true, signal: listening.signal });
  return () => {
    listening.abort();
    restore();
  };
}
