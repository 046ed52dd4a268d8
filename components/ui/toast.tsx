"use client";
import { Check, CircleAlert, Info } from "lucide-react";
import { Toaster as Sonner, toast } from "sonner";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { words } from "#components/words/en.ts";
import { buttonClass } from "./button.tsx";

/** Where toasts appear: bottom end at the desk, above the bottom bar on a phone. Stands once in the shell. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      style={{ fontFamily: "inherit" }}
      offset={16}
      mobileOffset={{ bottom: "calc(4.5rem + env(safe-area-inset-bottom))", left: 12, right: 12 }}
      containerAriaLabel={words.common.messages}
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
  );
}

export interface NotifyOptions {
  description?: string;
  /** Adds an "Undo" button and keeps the toast longer. */
  undo?: () => void;
  /** The same id replaces the toast instead of stacking. */
  id?: string;
}

/** Says what was done, in the past tense and without praise: `notifyDone("Stream deleted")`. */
export function notifyDone(title: string, { description, undo, id }: NotifyOptions = {}): void {
  toast.success(title, {
    duration: undo ? 8000 : 4000,
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    ...(undo ? { action: { label: words.common.undo, onClick: undo } } : {}),
  });
}

/** Says what could not be done, with the server's sentence and the request id. */
export function notifyFailed(title: string, failure?: ApiFailure): void {
  const id = failure?.requestId ? ` (${words.common.requestId} ${failure.requestId})` : "";
  toast.error(title, { duration: 8000, ...(failure ? { description: `${failure.detail}${id}` } : {}) });
}

/** Says something worth knowing that nobody asked for. */
export function notifyInfo(title: string, description?: string): void {
  toast.info(title, { ...(description === undefined ? {} : { description }) });
}
