/** Bits of queue_entry.holds, in order of precedence (docs/api.md#held-posts). The first three are the switches' (hold_bits). */
export const holdBits = {
  require_media: 128,
  require_alt_text: 256,
  bot: 512,
  blocked_user: 1,
  blocked_hashtag: 2,
  unconfirmed: 4,
  unverifiable: 8,
  differs: 16,
  "opt-out reported": 32,
  "no https address": 64,
} as const;
export type HeldReason = keyof typeof holdBits;

export const heldReasons = Object.keys(holdBits) as HeldReason[];

/** First reason why an entry is not handed out, or null. */
export function heldBy({ holds }: { holds: number }): HeldReason | null {
  return heldReasons.find((reason) => holds & holdBits[reason]) ?? null;
}
