import { keyMapOf, type KeyMap } from "./keys.ts";

export interface DeskPreferences {
  cover: "blur" | "grey" | "off";
  keys_on: boolean;
  keys: KeyMap;
  hint_seen: boolean;
  /** Decisions made while the hint was shown. */
  hint_decisions: number;
  /** Minutes until a break is suggested, or null. */
  break_minutes: number | null;
}

/** The hint for first-time reviewers ends after as many decisions. */
export const HINT_DECISIONS = 10;
export const breakChoices = [20, 30, 45, 60] as const;

/** Names in `PATCH /profile` `{preferences}`. Null removes one. */
export interface StoredPreferences {
  covered_media?: "blur" | "grey" | "off" | null;
  desk_keys_off?: true | null;
  desk_keys?: Partial<KeyMap> | null;
  desk_hint_seen?: true;
  desk_hint_decisions?: number | null;
  desk_break_minutes?: number | null;
}

/** Invalid values count as not set. */
export function readPreferences(stored: Record<string, unknown>): DeskPreferences {
  const { covered_media: cover, desk_break_minutes: minutes, desk_hint_decisions: decisions } = stored;
  return {
    cover: cover === "grey" || cover === "off" ? cover : "blur",
    keys_on: stored.desk_keys_off !== true,
    keys: keyMapOf(stored.desk_keys),
    hint_seen: stored.desk_hint_seen === true,
    hint_decisions: typeof decisions === "number" && decisions > 0 ? Math.min(decisions, HINT_DECISIONS) : 0,
    break_minutes: typeof minutes === "number" && minutes >= 5 && minutes <= 600 ? minutes : null,
  };
}
