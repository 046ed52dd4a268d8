import { formatCount, plural } from "#components/words/format.ts";

/** The page about the quality of the checks, and the settings of the checks. */
export const checks = {
  title: "How good are the checks?",
  description: "Each figure compares the advice of a check before a decision with that decision.",
  short: "Quality of the checks",
  settingsLink: "Settings of the checks",
  qualityLink: "How good are the checks?",
  failed: "The figures could not be loaded",
  names: {
    rules: "Text rules",
    learner: "Learner",
    picture_explicit: "Explicit pictures",
    picture_suggestive: "Suggestive pictures",
    remote_moderation: "Moderation service",
    question: "Question of the stream",
  } as Readonly<Record<string, string>>,

  empty: "No decisions yet",
  emptyHint: (needed: number) =>
    `Figures need ${needed} decisions: ${needed / 2} approvals and ${needed / 2} rejections.`,
  progress: (approvals: number, rejections: number, each: number) =>
    `${approvals} of ${each} approvals, ${rejections} of ${each} rejections`,
  countedHint: "Decisions about posts with a score of this check are counted.",
  notUsed: "No reviewed post has a score of this check",
  notUsedHint: "Figures appear when posts that it has checked are reviewed.",

  decisions: "Decisions",
  decisionsHint: "The newest 20,000 are kept",
  rejected: "Rejected",
  baseRate: "Share of all decisions",
  blindAgreement: "Agreement, hidden",
  shownAgreement: "Agreement, shown",
  hiddenOf: (n: number) => `Advice hidden, ${plural(n, "decision", "decisions")}`,
  shownOf: (n: number) => `Advice shown, ${plural(n, "decision", "decisions")}`,
  leftOut: "Left out",
  leftOutHint: "Decisions with API keys that are excluded from training",

  verdicts: "Results of the checks",
  verdictsHint: "All decisions about posts with a score of the check, at its present threshold.",
  warned: (warned: number, found: number) =>
    `Warned of ${plural(warned, "post", "posts")}, you rejected ${formatCount(found)} of them.`,
  warnedOfNone: "Warned of no post.",
  missed: (missed: number, others: number) =>
    `Missed ${missed === 0 ? "no rejection" : plural(missed, "rejection", "rejections")} among the ${others === 1 ? "other post" : `${formatCount(others)} other posts`}.`,
  warnedOfAll: "There are no other posts.",
  listFound: (count: number) => `${formatCount(count)} rejected with a warning`,
  listWrong: (count: number) => `${formatCount(count)} approved with a warning`,
  listMissed: (count: number) => `${formatCount(count)} rejected without a warning`,
  raise: (at: string) => `Raise the threshold of ${at}: most warnings were about posts that you approved.`,
  lower: (at: string) => `Lower the threshold of ${at}: it missed more rejections than it found.`,
  keep: (at: string) => `Keep the threshold of ${at}.`,
  noThreshold: "No threshold of its own.",
  details: "Details: agreement, scores and curves",

  agreement: "Agreement with the advice",
  agreementHint:
    "Shown advice pulls people towards it. Only the hidden tenth of the posts gives an unbiased figure.",
  all: "All voting checks",
  check: "Check",
  hidden: "Advice hidden",
  shown: "Advice shown",
  apiKeys: "By API keys",
  share: (percent: string, n: string) => `${percent} of ${n}`,
  between: (low: string, high: string) => `${low}–${high} %`,

  figures: "Figures of each check",
  figuresHint: "In brackets: the 95 % interval.",
  rejectedShare: (percent: string) => `${percent} rejected`,
  window: "Decisions that count",
  recent: "Last 500",
  ever: "All",
  state: "State",
  states: {
    votes: "votes",
    shown: "does not vote",
    stream: "votes where the stream says so",
    learning: "still learning",
    stopped: "stopped itself",
    off: "off",
  },
  auc: "ROC-AUC",
  brier: "Brier",
  skill: "Skill",
  ece: "Calibration error",
  precision: "Precision",
  recall: "Recall",
  threshold: "Threshold",
  thresholds: "60 or 70 %",
  reliability: "Reliability",
  reliabilityHint: "A score is well calibrated when both bars have the same height.",
  reliabilityOf: (name: string) => `Reliability: ${name}`,
  scoreBin: "Score",
  bin: (from: number, to: number) => `${from}–${to} %`,
  meanScore: "Mean score in %",
  shareRejected: "Rejected in %",
  curve: "Learning curve",
  curveHint: "Of consecutive parts of the log. No figure where a part has only approvals or only rejections.",
  curveOf: (name: string) => `Learning curve: ${name}`,
  part: "From – to",
  chosen: "Check",

  stoppedNotice: (name: string, why: string) => `The check “${name}” does not vote any more. ${why}`,

  settings: "Checks",
  settingsHint:
    "Checks only advise. A check that votes advises rejection from its threshold on; the others are shown and measured.",
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
      "Asks a moderation service about text and pictures, when AI_PROVIDER is set. Posts are then sent to that service. Its results are measured first; reviewers see them when it is shown or votes.",
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
  explicitThreshold: "Empty: 60 % if two models looked, else 70 %",
  saved: "Saved. Stored posts are being judged again.",
  judging:
    "Stored posts are being judged again with the changed settings. Lists and the desk show the new advice as it is written.",
  notSetUp: (names: string, why: string) => `Not set up: ${names}. ${why}`,
  resume: "Let it vote again",
  resumeHint: "If it votes again, only decisions from then on count.",
  saveOf: (name: string) => `Save: ${name}`,
  cancelOf: (name: string) => `Cancel: ${name}`,
  counting: "Counting the posts that this would flag…",
  dryRunEmpty: "No post of the last 30 days has stored results, so the effect is not known.",
  dryRun: (flagged: number, approved: number, posts: number, complete: boolean, now: number) =>
    `${formatCount(flagged)} of ${complete ? "last month's" : "the newest"} ${plural(posts, "post", "posts")} would have been flagged, ${formatCount(approved)} of them you approved. At present ${now === 1 ? "1 is" : `${formatCount(now)} are`} flagged.`,
} as const;
