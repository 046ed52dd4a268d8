import { describe, expect, it } from "vitest";
import { keyPress } from "#tests/setup/key-press.ts";
import { positionAfter, readListPress, type Move } from "./list-keys.ts";

const press = (key: string, more: Partial<KeyboardEvent> = {}) => keyPress({ key, ...more });

describe("readListPress", () => {
  it.each([
    ["j", {}, { move: "next", extend: false }],
    ["K", { shiftKey: true }, { move: "previous", extend: true }],
    ["ArrowLeft", {}, { move: "left", extend: false }],
    ["ArrowDown", { repeat: true }, { move: "down", extend: false }],
    ["x", {}, { act: "select" }],
    [" ", {}, { act: "select" }],
    // The key J of a Russian keyboard.
    ["о", { code: "KeyJ" }, { move: "next", extend: false }],
    [" ", { repeat: true }, null],
    [" ", { shiftKey: true }, { act: "select_range" }],
    ["j", { defaultPrevented: true }, null],
  ])("%s %o on a post", (key, more, expected) => {
    expect(readListPress(press(key, more), true, "post")).toEqual(expected);
  });

  it("without a focus, J, K and arrows enter the list", () => {
    for (const key of ["j", "ArrowDown", "ArrowRight"])
      expect(readListPress(press(key), true, "page")).toMatchObject({ extend: false });
    expect(readListPress(press("ArrowDown"), false, "page")).toEqual({ move: "down", extend: false });
    expect(readListPress(press("ArrowDown", { shiftKey: true }), true, "page")).toBeNull();
    for (const key of ["x", " ", "Enter", "Home"]) expect(readListPress(press(key), true, "page")).toBeNull();
  });

  it("on another control only J and K enter the list, and letters can be off", () => {
    expect(readListPress(press("j"), true, "control")).toEqual({ move: "next", extend: false });
    for (const key of ["x", " ", "ArrowDown", "Enter", "Home"])
      expect(readListPress(press(key), true, "control")).toBeNull();
    for (const key of ["j", "k", "x"]) expect(readListPress(press(key), false, "post")).toBeNull();
    expect(readListPress(press("ArrowDown"), false, "post")).toEqual({ move: "down", extend: false });
  });
});

describe("positionAfter", () => {
  // Eleven posts in rows of four.
  const grid = { count: 11, columns: 4, rtl: false };
  it.each<[Move, number, number]>([
    ["right", 3, 4],
    ["left", 0, 0],
    ["down", 1, 5],
    ["down", 9, 9],
    ["up", 9, 5],
    ["previous", 5, 4],
    ["first", 9, 0],
  ])("%s from %i goes to %i", (move, from, to) => expect(positionAfter(move, from, grid)).toBe(to));

  it("mirrors left and right for right-to-left", () => {
    expect(positionAfter("left", 3, { ...grid, rtl: true })).toBe(4);
    expect(positionAfter("right", 3, { ...grid, rtl: true })).toBe(2);
    expect(positionAfter("next", 3, { ...grid, rtl: true })).toBe(4);
  });
});
