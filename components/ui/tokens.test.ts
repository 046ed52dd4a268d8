import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/*
 * WCAG 2.2 relative luminance (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance): 4.5 for text, 3
 * for controls and graphics.
 */

const css = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");
const tokens = new Map<string, { light: string; dark: string }>();
for (const [, name, light, dark] of css.matchAll(
  /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g,
)) {
  if (name && light && dark) tokens.set(name, { light, dark });
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(front: string, back: string, theme: "light" | "dark"): number {
  const [a, b] = [front, back].map((name) => {
    const token = tokens.get(name);
    if (!token) throw new Error(`No token --${name} with both themes in app/globals.css`);
    return luminance(token[theme]);
  });
  const [low = 0, high = 0] = [a ?? 0, b ?? 0].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["bg", "surface", "raised", "wash"];
const meanings = ["accent", "approve", "reject", "warn", "info"];
const buttons = ["accent", "approve", "reject"];

const text: [string, string][] = [
  ...["text", "muted", ...meanings].flatMap((ink) =>
    grounds.map((ground): [string, string] => [ink, ground]),
  ),
  ...buttons.map((name): [string, string] => [`on-${name}`, `${name}-fill`]),
  ...meanings.flatMap((name): [string, string][] => [
    [name, `${name}-quiet`],
    ["text", `${name}-quiet`],
  ]),
  ["muted", "accent-quiet"],
];

const lines: [string, string][] = [
  ...grounds.map((ground): [string, string] => ["line-strong", ground]),
  // Buttons, ticks and bars have no outline.
  ...[...buttons, "warn"].flatMap((name) =>
    grounds.map((ground): [string, string] => [`${name}-fill`, ground]),
  ),
];

describe.each(["light", "dark"] as const)("%s theme", (theme) => {
  it.each(text)("%s on %s is readable (4.5)", (front, back) => {
    expect(contrast(front, back, theme)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(lines)("%s on %s can be made out (3)", (front, back) => {
    expect(contrast(front, back, theme)).toBeGreaterThanOrEqual(3);
  });
});
