/** The panel behind the badge of the checks, and the checks on a post's page. */
export const postChecks = {
  title: "Checks of this post",
  guide: "Advice only. You decide.",
  score: (percent: string) => `Score ${percent}`,
  none: "Not checked yet",
  failed: "The results of the checks could not be loaded",

  votes: "Votes",
  shadow: "Does not vote",
  noResult: "No result",
  line: (percent: string) => `threshold ${percent}`,
  overLine: "Over its threshold",
  underLine: "Below its threshold",
  noLine: "no threshold yet",
  version: (version: string) => `version ${version}`,
  parts: "Rules that applied",

  pictures: "Raw picture scores",
  picture: (medium: number) => `Picture ${medium + 1}`,
  pictureFailed: (error: string | null) =>
    error === null ? "Could not be checked" : `Could not be checked: ${error}`,
  pictureClass: "Class",
  pictureShare: "Probability",
  classes: {
    porn: "Explicit",
    hentai: "Explicit drawing",
    sexy: "Suggestive",
    drawing: "Drawing",
    neutral: "Neutral",
  },

  again: "Check again",
  againSame: "Checked again. The result is the same.",
  againChanged: (now: string) => `Checked again. New result: ${now}.`,
  againQueued: "Pictures are checked in the background.",
  againFailed: "The post was not checked again",
} as const;
