"use client";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import * as words from "#components/words/desk.ts";
import { later } from "./later.tsx";
import { letPressesThrough } from "./toast-presses.ts";
import { messagesWanted, say, subscribeToMessages, wantMessages } from "./toast-queue.ts";

// With the first touch of a page, or with the first message: the region then stands before anything is said in it.
const Messages = later(() => import("./toast-messages.tsx").then((module) => module.Messages));

/** Where toasts appear. Stands once in the shell. */
export function Toaster() {
  const region = useRef<HTMLDivElement>(null);
  // From the start: what is pressed first may be waiting for its release when the messages arrive.
  useEffect(() => (region.current ? letPressesThrough(region.current) : undefined), []);
  const wanted = useSyncExternalStore(subscribeToMessages, messagesWanted, () => false);
  useEffect(() => {
    const begin = () => wantMessages();
    const once = { once: true, passive: true };
    for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, begin, once);
    return () => {
      for (const event of ["pointerdown", "keydown"]) window.removeEventListener(event, begin);
    };
  }, []);
  return (
    <div ref={region} className="contents">
      {wanted ? <Messages /> : null}
    </div>
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
  say((toast) =>
    toast.success(title, {
      duration: undo ? 8000 : 4000,
      ...(id === undefined ? {} : { id }),
      ...(description === undefined ? {} : { description }),
      ...(undo ? { action: { label: words.common.undo, onClick: undo } } : {}),
    }),
  );
}

/** Says what could not be done, with the server's sentence and the request id. */
export function notifyFailed(title: string, failure?: ApiFailure): void {
  const id = failure?.requestId ? ` (${words.common.requestId} ${failure.requestId})` : "";
  const description = failure ? { description: `${failure.detail}${id}` } : {};
  say((toast) => toast.error(title, { duration: 8000, ...description }));
}

/** Says something worth knowing that nobody asked for. */
export function notifyInfo(title: string, description?: string): void {
  say((toast) => toast.info(title, { ...(description === undefined ? {} : { description }) }));
}
