import { describe, expect, it } from "vitest";
import * as desk from "./desk.ts";
import { words } from "./en.ts";

function* sentences(node: object, path: string): Generator<[string, string]> {
  for (const [name, value] of Object.entries(node) as [string, unknown][]) {
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof value === "string") yield [at, value];
    else if (typeof value === "object" && value !== null) yield* sentences(value, at);
  }
}

describe("words", () => {
  it("contain no please, no exclamation mark and no praise, and are never empty", () => {
    const wrong = [...sentences({ ...words, ...desk }, "")].filter(
      ([, text]) => text.trim() === "" || /!|\b(please|successful(ly)?|oops|sorry)\b/i.test(text),
    );
    expect(wrong).toEqual([]);
  });
});
