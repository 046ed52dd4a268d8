import type { ApiFailure } from "#lib/client/api-failure.ts";
import { sharedState } from "#lib/client/use-store.ts";

export interface NotifyOptions {
  description?: string;
  /** Adds an Undo button; the toast also stays longer. */
  undo?: () => void;
  /** Replaces the message with the same id. */
  id?: string;
}

export interface Message extends NotifyOptions {
  tone: "success" | "error" | "info";
  title: string;
}

export interface Toast extends Message {
  key: number;
  /** Milliseconds. */
  duration: number;
}

const MAX_TOASTS = 3;

export const toasts = sharedState<readonly Toast[]>([]);
let lastKey = 0;

export function closeToast(key: number): void {
  toasts.setState(toasts.getState().filter((toast) => toast.key !== key));
}

function notify(message: Message, duration = 4000): void {
  const others = toasts.getState().filter(({ id }) => id === undefined || id !== message.id);
  lastKey += 1;
  toasts.setState([...others, { ...message, key: lastKey, duration }].slice(-MAX_TOASTS));
}

/** Shows a success, in the past tense: `notifyDone("Stream deleted")`. */
export function notifyDone(title: string, options: NotifyOptions = {}): void {
  notify({ tone: "success", title, ...options }, options.undo ? 8000 : 4000);
}

/** Shows a failure with the server's message and the request id. `undo` offers to try an undo again. */
export function notifyFailed(title: string, failure?: ApiFailure, undo?: () => void): void {
  const id = failure?.requestId ? ` (Request ${failure.requestId})` : "";
  notify(
    {
      tone: "error",
      title,
      ...(failure ? { description: `${failure.detail}${id}` } : {}),
      ...(undo ? { undo } : {}),
    },
    // Stays open, so that the id can be copied.
    id === "" ? 8000 : Infinity,
  );
}

export function notifyInfo(title: string, description?: string): void {
  notify({ tone: "info", title, ...(description === undefined ? {} : { description }) });
}
