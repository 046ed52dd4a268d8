import { describe, expect, it } from "vitest";
import { keyPress } from "#tests/setup/key-press.ts";
import {
  noteOf,
  readNoteKey,
  withDiscarded,
  withRestored,
  withSaved,
  withStored,
  type NoteText,
} from "./note.ts";

const typed = (note: NoteText, text: string): NoteText => ({ ...note, text });

describe("the text of a note", () => {
  it("returns to the saved text when discarded, and can be restored", () => {
    const discarded = withDiscarded(typed(noteOf("kept"), "half a sentence"));
    expect(discarded).toEqual({ text: "kept", saved: "kept", lost: "half a sentence" });
    const restored = withRestored(discarded);
    expect(restored).toEqual({ text: "half a sentence", saved: "kept", lost: "kept" });
    expect(restored && withRestored(restored)?.text).toBe("kept");
  });

  it("keeps the text that saving replaced", () => {
    const saved = withSaved(typed(noteOf("first"), "second"));
    expect(saved).toEqual({ text: "second", saved: "second", lost: "first" });
    expect(withRestored(saved)?.text).toBe("first");
  });

  it("takes over the note of the server, without losing a text that is being written", () => {
    expect(withStored(typed(noteOf("first"), "second"), "second")).toEqual({
      text: "second",
      saved: "second",
      lost: "first",
    });
    expect(withStored(noteOf("first"), null)).toEqual({ text: "", saved: "", lost: "first" });
    expect(withStored(typed(noteOf(null), "half"), "theirs")).toMatchObject({
      text: "half",
      saved: "theirs",
    });
  });
});

describe("the keys of a note", () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) => keyPress({ key, ...more });
  const note = noteOf("kept");
  const lost = { ...note, lost: "lost" };

  it.each([
    [press("Enter"), note, "save"],
    [press("Enter", { ctrlKey: true }), note, "approve"],
    [press("Enter", { metaKey: true, shiftKey: true }), note, "reject"],
    [press("Enter", { isComposing: true }), note, null],
    [press("Escape"), note, "discard"],
    [press("Escape", { isComposing: true }), note, null],
    [press("z", { ctrlKey: true }), lost, "restore"],
    [press("я", { code: "KeyZ", ctrlKey: true }), lost, "restore"],
    [press("z", { ctrlKey: true }), note, null],
    [press("z", { ctrlKey: true }), typed(lost, "changed"), null],
  ])("%j → %s", (event, text, expected) => {
    expect(readNoteKey(event, text)).toBe(expected);
  });
});
