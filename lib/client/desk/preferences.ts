export interface DeskPreferences {
  cover: "blur" | "grey" | "off";
  keys_on: boolean;
}

/** The form in which the profile stores them. Null removes one. */
export interface StoredPreferences {
  covered_media?: "blur" | "grey" | "off" | null;
  desk_keys_off?: true | null;
}

/** Reads the stored preferences. Invalid values count as not set. */
export function readPreferences(stored: Record<string, unknown>): DeskPreferences {
  const { covered_media: cover } = stored;
  return {
    cover: cover === "grey" || cover === "off" ? cover : "blur",
    keys_on: stored.desk_keys_off !== true,
  };
}
