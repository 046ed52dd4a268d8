/** Actions with a key of their own. */
export const deskKeys = {
  approve: "a",
  reject: "r",
  skip: "s",
  undo: "z",
  note: "n",
  open: "o",
  enlarge: "e",
  reveal: "c",
  next_picture: "ArrowRight",
  previous_picture: "ArrowLeft",
  block_author: "b",
  checks: "k",
  author_posts: "m",
} as const;

export type DeskKeys = typeof deskKeys;
export type KeyAction = keyof DeskKeys;
const keyActions = Object.keys(deskKeys) as KeyAction[];

export const actionWords: Record<KeyAction, string> = {
  approve: "Approve",
  reject: "Reject",
  skip: "Skip",
  undo: "Undo",
  note: "Note",
  open: "Open original",
  enlarge: "Enlarge picture",
  reveal: "Show covered media",
  next_picture: "Next picture",
  previous_picture: "Previous picture",
  block_author: "Block author",
  checks: "Show checks",
  author_posts: "Waiting posts of the author",
};

/** `reason`: reject with the reason of that number. */
export type Press = { action: KeyAction } | { reason: number };

export type KeyPress = Pick<
  KeyboardEvent,
  | "key"
  | "code"
  | "ctrlKey"
  | "metaKey"
  | "altKey"
  | "shiftKey"
  | "repeat"
  | "isComposing"
  | "defaultPrevented"
>;

/** With `keys` null only Ctrl-Z (Cmd-Z) works. Other modifiers and key repeats are ignored. */
export function readPress(event: KeyPress, keys: DeskKeys | null): Press | null {
  if (event.defaultPrevented || event.repeat || event.isComposing) return null;
  const key = nameOf(event);
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    return key === "z" ? { action: "undo" } : null;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || keys === null) return null;
  const digit = digitOf(event);
  if (digit !== null) return { reason: digit };
  // Shift-A may be a browser shortcut.
  if (event.shiftKey) return null;
  const action = keyActions.find((each) => keys[each] === key);
  return action ? { action } : null;
}

/** The Latin letter of a key in another script (Cyrillic, Greek, Arabic). */
export function nameOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if (key.length > 1) return key;
  const lower = key.toLowerCase();
  if (/^[\x20-\x7e]$/.test(lower)) return lower;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? lower;
}

/** French keyboards need Shift for digits. On the number pad the sign counts, since its keys move without NumLock. */
function digitOf({ key, code, shiftKey }: KeyPress): number | null {
  const digit = /^[1-9]$/.exec(key)?.[0] ?? (shiftKey ? undefined : /^Digit([1-9])$/.exec(code)?.[1]);
  return digit === undefined ? null : Number(digit);
}

const signs: Record<string, string> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

export function keySign(key: string): string {
  return signs[key] ?? key.toUpperCase();
}

/** Text fields, lists and players use keys themselves. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLMediaElement) return true;
  if (target instanceof HTMLInputElement) {
    return !["button", "checkbox", "radio", "submit", "reset", "image", "color", "file"].includes(
      target.type,
    );
  }
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const COVERS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], :is(:popover-open)';

/** By a dialog or menu. */
export function isCovered(): boolean {
  return document.querySelector(COVERS) !== null;
}
