import { createHash } from "node:crypto";

/** Minimum length in UTF-8 bytes (11 kanji or 32 Latin letters). Shorter texts are often equal by chance. */
const SHORTEST = 32;

const MENTION_OR_TAG = /[@#][\p{L}\p{M}\p{N}_]+(?:[.@-]+[\p{L}\p{N}_]+)*/gu;
/** With scheme, or shortened as by Mastodon: `example.org/a/lo…`. */
const ADDRESS = /https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:\/\S*)?/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * Normalises a text for comparison: NFKC, lower case, letters and digits only, without mentions, hashtags
 * and addresses, which spam varies from copy to copy.
 */
export function normaliseText(plainText: string): string {
  return plainText
    .normalize("NFKC")
    .toLowerCase()
    .replace(ADDRESS, " ")
    .replace(MENTION_OR_TAG, " ")
    .replace(NEITHER_LETTER_NOR_DIGIT, " ")
    .trim();
}

/**
 * First 64 bits of the SHA-256 of the normalised text as PostgreSQL's bigint, or null for a text too short
 * to compare ("Good morning").
 */
export function textFingerprint(plainText: string): bigint | null {
  const text = normaliseText(plainText);
  if (Buffer.byteLength(text) < SHORTEST) return null;
  return createHash("sha256").update(text).digest().readBigInt64BE(0);
}
