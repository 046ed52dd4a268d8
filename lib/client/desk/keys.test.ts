import { describe, expect, it } from "vitest";
import { keyPress } from "#tests/setup/key-press.ts";
import { deskKeys, keySign, readPress } from "./keys.ts";

const press = (event: Partial<KeyboardEvent>) => readPress(keyPress({ code: "KeyA", ...event }), deskKeys);

describe("readPress", () => {
  it.each([
    ["Caps Lock", { key: "A" }, { action: "approve" }],
    ["a Cyrillic layout", { key: "ф", code: "KeyA" }, { action: "approve" }],
    ["a digit's key on a French keyboard", { key: "é", code: "Digit2" }, { reason: 2 }],
    ["Shift and a digit on a French keyboard", { key: "1", code: "Digit1", shiftKey: true }, { reason: 1 }],
    ["Ctrl-Z", { key: "z", code: "KeyZ", ctrlKey: true }, { action: "undo" }],
  ])("%s", (_name, event, expected) => {
    expect(press(event)).toEqual(expected);
  });

  it.each([
    ["Shift and a letter", { shiftKey: true, key: "A" }],
    ["Shift and a digit", { shiftKey: true, key: "!", code: "Digit1" }],
    ["Alt and a letter", { altKey: true }],
    ["a key held down", { repeat: true }],
    ["a word being composed", { isComposing: true }],
    ["a key press that something else has handled", { defaultPrevented: true }],
    ["a letter nobody uses", { key: "q", code: "KeyQ" }],
  ])("means nothing: %s", (_name, event) => {
    expect(press(event)).toBeNull();
  });

  it("accepts only Ctrl-Z when single keys are off", () => {
    expect(readPress(keyPress({ code: "KeyA" }), null)).toBeNull();
    expect(readPress(keyPress({ key: "z", ctrlKey: true }), null)).toEqual({ action: "undo" });
  });
});

it("has one key for each action", () => {
  expect(new Set(Object.values(deskKeys)).size).toBe(Object.keys(deskKeys).length);
  expect(["a", "ArrowLeft"].map(keySign)).toEqual(["A", "←"]);
});
