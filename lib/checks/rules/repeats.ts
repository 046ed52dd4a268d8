import { createHash } from "node:crypto";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";

export interface Copy {
  uri: string;
  author_key: string;
  created_at: Date;
}

/** Posts with the same text within 24 hours, the post included. */
export interface Repeats {
  byAuthor: number;
  authors: number;
}

export const REPEAT_WINDOW_MS = 24 * 3_600_000;

/** For each uri, the maximum over all windows of 24 hours that contain the post. */
export function countRepeats(copies: readonly Copy[]): Map<string, Repeats> {
  const sorted = [...copies].sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
  const best = new Map(sorted.map((copy) => [copy.uri, { byAuthor: 1, authors: 1 }]));
  for (const [index, first] of sorted.entries()) {
    const end = first.created_at.getTime() + REPEAT_WINDOW_MS;
    const window = [];
    const perAuthor = new Map<string, number>();
    for (const copy of sorted.slice(index)) {
      if (copy.created_at.getTime() > end) break;
      window.push(copy);
      perAuthor.set(copy.author_key, (perAuthor.get(copy.author_key) ?? 0) + 1);
    }
    for (const copy of window) {
      const known = best.get(copy.uri);
      if (known === undefined) continue;
      known.byAuthor = Math.max(known.byAuthor, perAuthor.get(copy.author_key) ?? 1);
      known.authors = Math.max(known.authors, perAuthor.size);
    }
  }
  return best;
}

/** Shortest compared text, in UTF-8 bytes (11 kanji, 32 Latin letters). Shorter texts are often equal by chance. */
const MIN_BYTES = 32;

const MENTION_OR_TAG = /[@#][\p{L}\p{M}\p{N}_]+(?:[.@-]+[\p{L}\p{N}_]+)*/gu;
/**
 * An address with a scheme, or as Mastodon shortens it: `example.org/a/lo…`. A host name begins at the start of a word and
 * has at most eleven labels; without these limits the time would grow with the square of the length.
 */
const ADDRESS =
  /https?:\/\/\S+|(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+){0,9}\.\p{L}{2,}(?:\/\S*)?/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

/** Text in NFKC, reduced to letters and digits. Mentions, hashtags and addresses are removed, because spam varies them. */
export function normaliseText(plainText: string): string {
  return normaliseUnicode(plainText, "NFKC")
    .toLowerCase()
    .replace(ADDRESS, " ")
    .replace(MENTION_OR_TAG, " ")
    .replace(NEITHER_LETTER_NOR_DIGIT, " ")
    .trim();
}

/** First 64 bits of the SHA-256, as a PostgreSQL bigint; null for a short text. */
export function textFingerprint(plainText: string): bigint | null {
  const text = normaliseText(plainText);
  if (Buffer.byteLength(text) < MIN_BYTES) return null;
  return createHash("sha256").update(text).digest().readBigInt64BE(0);
}
