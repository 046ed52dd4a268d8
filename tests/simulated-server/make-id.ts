import type { Software } from "./model.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * An id in the software's format: snowflake (Mastodon, Pixelfed), ULID (GoToSocial), flake (Pleroma), aid
 * (Misskey). All contain the creation time.
 *
 * @param seq below 65 536 for posts of one millisecond
 */
export function makeId(software: Software, createdAt: Date, seq: number): string {
  const ms = createdAt.getTime();
  switch (software) {
    case "mastodon":
    case "pixelfed":
      return ((BigInt(ms) << 16n) + BigInt(seq % 65_536)).toString();
    case "gotosocial":
      return digits(BigInt(ms), CROCKFORD, 10) + digits(BigInt(seq) * 7_919n + 3n, CROCKFORD, 16);
    case "pleroma":
      return digits((BigInt(ms) << 64n) + BigInt(seq), BASE62, 18);
    case "misskey":
      return (
        (ms - 946_684_800_000).toString(36).padStart(8, "0") + (seq % 1_296).toString(36).padStart(2, "0")
      );
  }
}

function digits(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = "";
  for (let rest = value, digit = 0; digit < length; digit++, rest /= base) {
    text = (alphabet[Number(rest % base)] ?? "") + text;
  }
  return text;
}
