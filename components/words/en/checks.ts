import { formatCount, plural } from "#components/words/format.ts";

/** Names and settings of the checks. */
export const checks = {
  names: {
    rules: "Text rules",
    learner: "Learner",
    picture_explicit: "Explicit pictures",
    picture_suggestive: "Suggestive pictures",
    remote_moderation: "Moderation service",
    question: "Question of the stream",
  } as Readonly<Record<string, string>>,

  off: "off",

  settings: "Checks",
  settingsHint:
    "Checks only advise. A check that votes advises rejection from its threshold on; the others are only shown.",
  describes: {
    rules:
      "Adds up the weights of the text rules below. Knows nothing about the meaning of a text or about pictures.",
    learner:
      "Learns from this team's decisions which posts it rejects: words, hashtags, authors, servers, pictures. Votes after 30 approvals and 30 rejections, when a threshold gives few false alarms. Repeats habits of reviewers, also unfair ones.",
    picture_explicit:
      "Looks for sexual content in pictures and previews of videos, on this server. Does not see violence, hate symbols or text in pictures, and is often wrong about drawings.",
    picture_suggestive:
      "Looks for suggestive pictures, with the same model. Beaches and sports give false alarms.",
    remote_moderation:
      "Asks a moderation service about text and pictures, when AI_PROVIDER is set. Posts are then sent to that service. Reviewers see its results when it is shown or votes.",
    question:
      "Asks a language model the question of the stream, when AI_PROVIDER is set. Posts are then sent to that service. Each stream decides whether its question votes.",
  } as Readonly<Record<string, string>>,
  on: "On",
  onOf: (name: string) => `On: ${name}`,
  show: "Shown",
  showOf: (name: string) => `Shown: ${name}`,
  votes: "Votes",
  votesOf: (name: string) => `Votes: ${name}`,
  thresholdIn: "Threshold in %",
  thresholdOf: (name: string) => `Threshold in %: ${name}`,
  thresholdWrong: "A number from 1 to 100, or empty for the default",
  defaultThreshold: (percent: string) => `Empty: ${percent} %`,
  learnerThreshold: "Empty: chosen from the decisions",
  saved: "Saved. Stored posts are being judged again.",
  judging:
    "Stored posts are being judged again with the changed settings. Lists and the desk show the new advice as it is written.",
  notSetUp: (names: string, why: string) => `Not set up: ${names}. ${why}`,
  saveOf: (name: string) => `Save: ${name}`,
  cancelOf: (name: string) => `Cancel: ${name}`,
  counting: "Counting the posts that this would flag…",
  dryRunEmpty: "No post of the last 30 days has stored results, so the effect is not known.",
  dryRun: (flagged: number, approved: number, posts: number, complete: boolean, now: number) =>
    `${formatCount(flagged)} of ${complete ? "last month's" : "the newest"} ${plural(posts, "post", "posts")} would have been flagged, ${formatCount(approved)} of them you approved. At present ${now === 1 ? "1 is" : `${formatCount(now)} are`} flagged.`,
} as const;
