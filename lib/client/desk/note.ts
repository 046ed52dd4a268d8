import { nameOf } from "./keys.ts";

/** The text of a note that is being written. */
export interface NoteText {
  text: string;
  /** Text last saved; Escape returns to it. */
  saved: string;
  /** The text that Escape discarded or saving replaced, for Ctrl-Z. */
  lost: string | null;
}

/** Code points. */
export const MAX_NOTE = 2000;

export function noteOf(saved: string | null): NoteText {
  return { text: saved ?? "", saved: saved ?? "", lost: null };
}

export function withSaved(note: NoteText): NoteText {
  return { text: note.text, saved: note.text, lost: replaced(note, note.saved) };
}

/** Saved on the server, from here or elsewhere. A text that is being written stays. */
export function withStored(note: NoteText, stored: string | null): NoteText {
  const saved = stored ?? "";
  const text = note.text === note.saved ? saved : note.text;
  return { text, saved, lost: replaced(note, note.saved, saved) };
}

export function withDiscarded(note: NoteText): NoteText {
  return { text: note.saved, saved: note.saved, lost: replaced(note, note.text, note.saved) };
}

/** The two texts change places, so a second time returns. Null without a lost text. */
export function withRestored(note: NoteText): NoteText | null {
  if (note.lost === null) return null;
  return {
    text: note.lost,
    saved: note.saved,
    lost: replaced({ ...note, lost: null }, note.text, note.lost),
  };
}

function replaced(note: NoteText, old: string, now = note.text): string | null {
  return old.trim() === "" || old === now ? note.lost : old;
}

export type NoteKey = "save" | "discard" | "restore" | "approve" | "reject";

type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing"
>;

/**
 * Enter saves, Ctrl-Enter approves and Ctrl-Shift-Enter rejects with the note, Escape discards. Ctrl-Z restores, unless the text has changed: then it is the
 * undo of the text field.
 */
export function readNoteKey(event: KeyPress, note: NoteText): NoteKey | null {
  if (event.isComposing || event.altKey) return null;
  const modified = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && modified) return event.shiftKey ? "reject" : "approve";
  if (event.key === "Enter") return event.shiftKey ? null : "save";
  if (event.key === "Escape") return modified || event.shiftKey ? null : "discard";
  const undoes = modified && !event.shiftKey && nameOf(event) === "z";
  return undoes && note.text === note.saved && note.lost !== null ? "restore" : null;
}
