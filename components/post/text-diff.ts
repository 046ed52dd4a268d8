import { diffArrays } from "diff";

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this a comparison takes over half a second. */
const MAX_EDITS = 800;

/** Texts that differ in more than half of their length are returned whole, the old one first. */
export function diffText(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS }) ?? [];
  const parts = changes.map(({ value, added, removed }): DiffPart => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  }));
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  if (same * 2 >= Math.max(before.length, after.length)) return parts;
  const whole: DiffPart[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return whole.filter(({ text }) => text !== "");
}

/** Also for scripts without spaces. */
function wordsOf(text: string): string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
    (word) => word.segment,
  );
}
