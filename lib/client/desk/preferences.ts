export interface DeskPreferences {
  cover: "blur" | "grey" | "off";
  keys_on: boolean;
  hint_seen: boolean;
  /** Decisions made while the hint was shown. */
  hint_decisions: number;
}

/** The hint for first-time reviewers ends after as many decisions. */
export const HINT_DECISIONS = 10;

/** As the profile keeps them. Null removes one. */
export interface StoredPreferences {
  covered_media?: "blur" | "grey" | "off" | null;
  desk_keys_off?: true | null;
  desk_hint_seen?: true;
  desk_hint_decisions?: number | null;
}

/** Invalid values count as not set. */
export function readPreferences(stored: Record<string, unknown>): DeskPreferences {
  const { covered_media: cover, desk_hint_decisions: decisions } = stored;
  return {
    cover: cover === "grey" || cover === "off" ? cover : "blur",
    keys_on: stored.desk_keys_off !== true,
    hint_seen: stored.desk_hint_seen === true,
    hint_decisions: typeof decisions === "number" && decisions > 0 ? Math.min(decisions, HINT_DECISIONS) : 0,
  };
}
