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

/** `reason`: reject with the reason of that number, from 1. */
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

/** Reads a key press. If `keys` is null, only Ctrl-Z (Cmd-Z) works. Other modifiers and key repeats are ignored. */
export function readPress(event: KeyPress, keys: DeskKeys | null): Press | null {
  if (event.defaultPrevented || event.repeat || event.isComposing) return null;
  const key = keyName(event);
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

/** The key's name. For a key of another script (Cyrillic, Greek, Arabic), the Latin letter at its place. */
export function keyName({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if (key.length > 1) return key;
  const lower = key.toLowerCase();
  if (/^[\x20-\x7e]$/.test(lower)) return lower;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? lower;
}

/**
 * `code` covers French keyboards, which need Shift for digits. On the number pad only `key` counts, because without
 * NumLock its keys move the cursor.
 */
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

/** Whether the target uses keys itself: a text field, a list or a player. */
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

const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], :is(:popover-open)';

/** Whether a dialog or menu covers the page. */
export function isDialogOpen(): boolean {
  return document.querySelector(OVERLAYS) !== null;
}
