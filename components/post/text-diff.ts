export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this many words a side, the table of the comparison would be felt; a post rarely has five hundred. */
const MAX_WORDS = 1500;

/**
 * What changed between two texts, word by word: the longest common subsequence, as `diff` finds it. Letters of
 * scripts without spaces count as words. Texts too long to compare are given whole, the old one first.
 */
export function diffText(before: string, after: string): DiffPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  const middle =
    a.length - start - end > MAX_WORDS || b.length - start - end > MAX_WORDS
      ? wholly(a.slice(start, a.length - end), b.slice(start, b.length - end))
      : compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return join([
    ...a.slice(0, start).map((text): DiffPart => ({ kind: "same", text })),
    ...middle,
    ...a.slice(a.length - end).map((text): DiffPart => ({ kind: "same", text })),
  ]);
}

function wordsOf(text: string): string[] {
  return (
    text.match(
      /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+|[^\s]/gu,
    ) ?? []
  );
}

function wholly(a: string[], b: string[]): DiffPart[] {
  return [
    { kind: "removed", text: a.join("") },
    { kind: "added", text: b.join("") },
  ];
}

function compare(a: string[], b: string[]): DiffPart[] {
  const width = b.length + 1;
  // lengths[i * width + j]: longest common subsequence of a from i on and b from j on.
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: "same", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      parts.push({ kind: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return parts;
}

function join(parts: DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.text === "") continue;
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
