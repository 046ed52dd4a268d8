/** Pictures, video, audio. */
export const media = {
  alt: "ALT",
  noDescription: "No description",
  covered: "Covered – show",
  coveredShort: "covered",
  checkSays: (category: string) => `Picture check: ${category.toLowerCase()}`,
  upsetting: "May be upsetting",
  audio: "Audio",
  audioUndescribed: "Audio, no description",
  video: "Video",
  notLoaded: "Not available",
  enlargeNamed: (description: string) => `Enlarge: ${description}`,
  enlargeBare: (n: number) => `Enlarge picture ${n}, no description`,
  cover: "Cover again",
  hasMedia: "Has media",
} as const;
