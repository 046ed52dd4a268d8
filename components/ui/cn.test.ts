import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { extendTailwindMerge } from "tailwind-merge";
import { describe, expect, it } from "vitest";
import { cn } from "./cn.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** tailwind-merge with our own names: what `cn` has to agree with. */
const oracle = extendTailwindMerge({
  extend: {
    theme: {
      text: ["12", "13", "14", "16", "20", "28"],
      spacing: ["control", "control-sm"],
      container: ["page", "prose"],
      shadow: ["hairline"],
      breakpoint: ["desk", "wide"],
      animate: ["fade-in", "rise-in", "slide-up", "slide-in", "skeleton"],
    },
  },
});

/** Every word in the screens' sources that is a class name to the oracle, without its variants. */
function vocabulary(): string[] {
  const found = new Set<string>();
  for (const folder of ["app", "components"]) {
    for (const file of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(file) || /\.test\.|ui\/cn\.ts$/.test(file)) continue;
      const text = readFileSync(path.join(ROOT, folder, file), "utf8");
      for (const [, quoted, templated] of text.matchAll(/"([^"\n]*)"|`([^`]*)`/g)) {
        for (const word of (quoted ?? templated ?? "").split(/\s+/)) {
          const utility = word.split(/:(?![^[(]*[\])])/).at(-1) ?? "";
          if (/^-?[a-z][\w-]*(-[\w./[\]()%,:-]+)?$/.test(utility)) found.add(utility);
        }
      }
    }
  }
  // A name the oracle knows replaces itself; any other word stays twice.
  return [...found].filter((word) => oracle(word, word) === word).sort();
}

describe("cn", () => {
  it("lets the later of two class names win exactly where tailwind-merge does, for every pair in the sources", () => {
    const words = vocabulary();
    expect(words.length).toBeGreaterThan(400);
    const wrong: string[] = [];
    for (const first of words) {
      for (const second of words) {
        if (first === second) continue;
        if (cn(first, second) !== oracle(first, second)) wrong.push(`${first} ${second}`);
      }
    }
    expect(wrong.slice(0, 20), "add a rule for these to cn.ts").toEqual([]);
  });

  it("keeps variants apart, in whatever order they are written", () => {
    const pairs = [
      ["hover:bg-wash bg-surface", "bg-raised"],
      ["max-desk:px-3 px-2", "desk:px-4 px-5"],
      ["desk:hover:text-muted", "hover:desk:text-text"],
      ["[&_svg]:size-4", "[&_svg]:size-5 size-6"],
      ["data-[state=open]:bg-wash", "data-[state=open]:bg-raised"],
    ] as const;
    for (const [first, second] of pairs) expect(cn(first, second)).toBe(oracle(first, second));
  });

  it("takes conditions and lists", () => {
    const off = false as boolean;
    expect(cn("p-2", off && "p-4", ["m-1", { "m-2": true }], undefined)).toBe("p-2 m-2");
    expect(cn()).toBe("");
  });
});
