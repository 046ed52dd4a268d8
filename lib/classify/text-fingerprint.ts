import { createHash } from "node:crypto";

/** A text shorter than this, in UTF-8 bytes (so 11 kanji or 32 Latin letters), is equal by chance too often. */
const SHORTEST = 32;

const MENTION_OR_TAG = /[@#][\p{L}\p{M}\p{N}_]+(?:[.@-]+[\p{L}\p{N}_]+)*/gu;
/** With scheme, or as Mastodon shortens them: `example.org/a/lo…`. */
const ADDRESS = /https?:\/\/\S+|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?:\/\S*)?/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * What makes two texts "the same": NFKC, lower case, without mentions, hashtags and addresses (spam changes
 * exactly those from copy to copy), letters and digits only.
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
 * First 64 bits of the SHA-256 of the normalised text as PostgreSQL's bigint; null for a text that is too short to
 * mean anything when it appears twice ("Good morning").
 */
export function textFingerprint(plainText: string): bigint | null {
  const text = normaliseText(plainText);
  if (Buffer.byteLength(text) < SHORTEST) return null;
  return createHash("sha256").update(text).digest().readBigInt64BE(0);
}
