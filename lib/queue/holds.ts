/** Bits of queue_entry.holds, in order of precedence (docs/api.md#held-posts). */
export const holdBits = {
  blocked_user: 1,
  blocked_hashtag: 2,
  unconfirmed: 4,
  unverifiable: 8,
  differs: 16,
  "opt-out reported": 32,
  "no https address": 64,
} as const;
export type Hold = keyof typeof holdBits;

/** Bits of queue_entry.missing, by switch of the export settings. */
export const requirementBits = { require_media: 1, require_alt_text: 2, auto_reject_bots: 4 } as const;

export const missingValues: readonly number[] = Array.from({ length: 8 }, (_, missing) => missing);

export const heldReasons = [
  "require_media",
  "require_alt_text",
  "bot",
  ...(Object.keys(holdBits) as Hold[]),
] as const;
export type HeldReason = (typeof heldReasons)[number];

export interface ExportSwitches {
  require_media: boolean;
  require_alt_text: boolean;
  auto_reject_bots: boolean;
}

/** First reason why an entry is not handed out, or null. */
export function heldBy(
  entry: { holds: number; missing: number },
  switches: ExportSwitches,
): HeldReason | null {
  if (switches.require_media && entry.missing & requirementBits.require_media) return "require_media";
  if (switches.require_alt_text && entry.missing & requirementBits.require_alt_text)
    return "require_alt_text";
  if (switches.auto_reject_bots && entry.missing & requirementBits.auto_reject_bots) return "bot";
  for (const [name, bit] of Object.entries(holdBits)) if (entry.holds & bit) return name as Hold;
  return null;
}
