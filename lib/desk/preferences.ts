import { keyMapOf, type KeyMap } from "./keys.ts";

/** How one reviewer wants the desk; kept in the profile's `preferences`. */
export interface DeskPreferences {
  cover: "blur" | "grey" | "off";
  /** Single keys are on. */
  keys_on: boolean;
  keys: KeyMap;
  /** Null: the house's own list. */
  reasons: string[] | null;
  hint_seen: boolean;
  /** Minutes at the desk after which a break is suggested; null: never. */
  break_minutes: number | null;
}

export const MAX_REASONS = 9;
export const MAX_REASON = 200;
export const breakChoices = [20, 30, 45, 60] as const;

/** Names in `PATCH /profile` `{preferences}`; null takes one out. */
export interface StoredPreferences {
  covered_media?: "blur" | "grey" | "off" | null;
  desk_keys_off?: true | null;
  desk_keys?: Partial<KeyMap> | null;
  desk_reasons?: string[] | null;
  desk_hint_seen?: true;
  desk_break_minutes?: number | null;
}

/** Reads the profile's preferences; what was stored by something else, or badly, counts as not set. */
export function readPreferences(stored: Record<string, unknown>): DeskPreferences {
  const { covered_media: cover, desk_reasons: reasons, desk_break_minutes: minutes } = stored;
  return {
    cover: cover === "grey" || cover === "off" ? cover : "blur",
    keys_on: stored.desk_keys_off !== true,
    keys: keyMapOf(stored.desk_keys),
    reasons: Array.isArray(reasons) ? cleanReasons(reasons) : null,
    hint_seen: stored.desk_hint_seen === true,
    break_minutes: typeof minutes === "number" && minutes >= 5 && minutes <= 600 ? minutes : null,
  };
}

/** At most nine short lines: the digits 1 to 9. */
export function cleanReasons(lines: readonly unknown[]): string[] {
  return lines
    .filter((line): line is string => typeof line === "string")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && [...line].length <= MAX_REASON)
    .slice(0, MAX_REASONS);
}
