/** One post with the text. */
export interface Copy {
  post_id: number;
  author_key: string;
  created_at: Date;
}

/** Repeats of a text within 24 hours, the post included. */
export interface Repeats {
  /** Maximum number of posts by the author in any 24 hours containing the post. */
  byAuthor: number;
  /** Maximum number of authors in any 24 hours containing the post. */
  authors: number;
}

export const REPEAT_WINDOW = 24 * 3_600_000;

/**
 * Counts repeats for all copies of one text, with a window starting at each copy.
 *
 * @returns counts by post id
 */
export function countRepeats(copies: readonly Copy[]): Map<number, Repeats> {
  const sorted = [...copies].sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
  const best = new Map(sorted.map((copy) => [copy.post_id, { byAuthor: 1, authors: 1 }]));
  for (const [index, first] of sorted.entries()) {
    const end = first.created_at.getTime() + REPEAT_WINDOW;
    const window = [];
    const perAuthor = new Map<string, number>();
    for (const copy of sorted.slice(index)) {
      if (copy.created_at.getTime() > end) break;
      window.push(copy);
      perAuthor.set(copy.author_key, (perAuthor.get(copy.author_key) ?? 0) + 1);
    }
    for (const copy of window) {
      const known = best.get(copy.post_id);
      if (known === undefined) continue;
      known.byAuthor = Math.max(known.byAuthor, perAuthor.get(copy.author_key) ?? 1);
      known.authors = Math.max(known.authors, perAuthor.size);
    }
  }
  return best;
}
