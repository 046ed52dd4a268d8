"use client";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { isCovered } from "#lib/client/desk/keys.ts";

export interface NotifyOptions {
  description?: string;
  /** Also keeps the toast longer. */
  undo?: () => void;
  id?: string;
}

export interface Message extends NotifyOptions {
  tone: "success" | "error" | "info";
  title: string;
}

let place: ((message: Message) => void) | null = null;

/** For the desk, where a message over the buttons would be in the way. */
export function setMessagePlace(next: ((message: Message) => void) | null): void {
  place = next;
}

let isWanted = false;
let wantedChanged: () => void = () => undefined;

export const toastsWanted = {
  get: () => isWanted,
  subscribe: (listener: () => void) => {
    wantedChanged = listener;
    return () => (wantedChanged = () => undefined);
  },
};

/** Loads the code of toasts, so that they can be shown when the network is gone. */
export function loadToasts(): void {
  isWanted = true;
  wantedChanged();
}

type ShowToast = (message: Message, duration: number | undefined) => void;

let showToast: ShowToast | null = null;
const waiting: Parameters<ShowToast>[] = [];

/** Called when toasts can be shown, and with null when they no longer can. */
export function setShowToast(show: ShowToast | null): void {
  showToast = show;
  if (show) for (const toast of waiting.splice(0)) show(...toast);
}

/** A failure in a dialog is shown over it, because the place may be behind it. */
function notify(message: Message, duration?: number): void {
  if (place && !(message.tone === "error" && isCovered())) return place(message);
  if (showToast) return showToast(message, duration);
  waiting.push([message, duration]);
  loadToasts();
}

/** In the past tense: `notifyDone("Stream deleted")`. */
export function notifyDone(title: string, options: NotifyOptions = {}): void {
  notify({ tone: "success", title, ...options }, options.undo ? 8000 : 4000);
}

/** With the server's sentence and the request id. */
export function notifyFailed(title: string, failure?: ApiFailure): void {
  const id = failure?.requestId ? ` (Request ${failure.requestId})` : "";
  notify(
    { tone: "error", title, ...(failure ? { description: `${failure.detail}${id}` } : {}) },
    // The id is to be copied.
    id === "" ? 8000 : Infinity,
  );
}

/** For the desk: ends with the card that it is about. */
export function notifyAboutCard(title: string): void {
  notify({ tone: "info", title, id: "card" });
}

export function notifyInfo(title: string, description?: string): void {
  notify({ tone: "info", title, ...(description === undefined ? {} : { description }) });
}
