import { diffArrays } from "diff";

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this a comparison takes over half a second. */
const MAX_EDITS = 800;

/** Texts that differ too much are returned whole, the old one first. */
export function diffText(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS });
  return (
    changes?.map(({ value, added, removed }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    })) ?? [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]
  );
}

/** Also for scripts without spaces. */
function wordsOf(text: string): string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
    (word) => word.segment,
  );
}
