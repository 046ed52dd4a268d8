const WITHIN_MS = 300;
let last = 0;

/** Whether this is the second click of a double click: it was meant for the card before, and this one is unread. */
export function isDoubleClick({ detail, timeStamp }: { detail: number; timeStamp: number }): boolean {
  const isSoon = timeStamp - last < WITHIN_MS;
  last = timeStamp;
  // The browser's own count alone would stop people who click fast.
  return detail > 1 && isSoon;
}
