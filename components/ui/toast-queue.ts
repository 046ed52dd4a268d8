import type { toast } from "sonner";

type Message = (show: typeof toast) => void;

const waiting: Message[] = [];
const listeners = new Set<() => void>();
let wanted = false;
let show: typeof toast | null = null;

/** Shows a message, at once or as soon as the region for messages is there. */
export function say(message: Message): void {
  if (show) return message(show);
  waiting.push(message);
  wantMessages();
}

/** Asks for the region: its code is not loaded before. */
export function wantMessages(): void {
  if (wanted) return;
  wanted = true;
  for (const listener of listeners) listener();
}

export const messagesWanted = (): boolean => wanted;

export function subscribeToMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by the region when it stands; gives back what is called when it goes. */
export function deliverTo(shower: typeof toast): () => void {
  show = shower;
  for (const message of waiting.splice(0)) message(shower);
  return () => {
    show = null;
  };
}
