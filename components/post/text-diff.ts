import { diffArrays } from "diff";

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Words removed and added, together, beyond which the comparison takes longer than half a second. */
const MAX_EDITS = 800;

/** What changed between two texts, word by word. Texts that differ too much are given whole, the old one first. */
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

/** Words, spaces and punctuation. Knows the words of scripts without spaces, such as Japanese and Thai. */
function wordsOf(text: string): string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "word" }).segment(text),
    (word) => word.segment,
  );
}
