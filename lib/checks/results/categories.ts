/** Categories of pictures that may be upsetting, worst first. */
export const upsettingCategories = [
  "explicit",
  "explicit_drawing",
  "graphic",
  "hateful",
  "other_unsafe",
  "suggestive",
  "uncertain",
] as const;
