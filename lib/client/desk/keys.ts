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
  block_hashtag: "h",
  checks: "k",
  author_posts: "m",
  order: "u",
  help: "?",
} as const;

export type DeskKeys = typeof deskKeys;
export type KeyAction = keyof DeskKeys;
const keyActions = Object.keys(deskKeys) as KeyAction[];

/** `reason`: reject with the reason of that number. `saved`: the saved filter of that number. */
export type Press = { action: KeyAction } | { reason: number } | { saved: number };

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
  // `?` needs Shift on many keyboards; Shift-A may be a browser shortcut.
  if (event.shiftKey && /^[a-z]$|^Arrow/.test(key)) return null;
  const action = keyActions.find((each) => keys[each] === key);
  if (action) return { action };
  const digit = digitOf(event);
  return digit === null ? null : event.shiftKey ? { saved: digit } : { reason: digit };
}

/** The Latin letter of a key in another script (Cyrillic, Greek, Arabic). */
export function nameOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if (key.length > 1) return key;
  const lower = key.toLowerCase();
  if (/^[\x20-\x7e]$/.test(lower)) return lower;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? lower;
}

/**
 * French keyboards need Shift for digits, so the physical key counts: with Shift it is the sign on others. On the number pad
 * the sign counts, since its keys move without NumLock.
 */
function digitOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): number | null {
  const digit = /^[1-9]$/.exec(key)?.[0] ?? /^Digit([1-9])$/.exec(code)?.[1];
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

const COVERS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], dialog[open]';

/** @param by other than this dialog */
export function isCovered(by: Element | null = null): boolean {
  return [...document.querySelectorAll(COVERS)].some((cover) => cover !== by && !by?.contains(cover));
}
