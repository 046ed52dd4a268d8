import { formatCount, plural } from "#components/words/format.ts";

/** Names and settings of the checks. */
export const checks = {
  names: {
    rules: "Text rules",
    learner: "Learner",
    picture_explicit: "Explicit pictures",
    picture_suggestive: "Suggestive pictures",
    chat_model: "Chat model",
  } as Readonly<Record<string, string>>,

  settings: "Checks",
  settingsHint:
    "Checks only advise. A check that votes advises rejection from its threshold on; the others are only shown.",
  pictures: "Pictures",
  describes: {
    rules:
      "Adds up the weights of the rules that match. Knows nothing about the meaning of a text or about pictures.",
    learner:
      "Learns from this team's decisions which posts it rejects: words, hashtags, authors, servers. Repeats habits of reviewers, also unfair ones.",
    pictures:
      "Looks for sexual content in pictures and previews of videos, on this server. Does not see violence, hate symbols or text in pictures, and is often wrong about drawings. Beaches and sports look suggestive.",
    chat_model: (host: string) => `Text and up to four pictures of each new post are sent to ${host}.`,
  },
  warned: (count: number) => `Warned of ${formatCount(count)}`,
  found: (count: number) => `you rejected ${formatCount(count)}`,
  noWarnings: (decisions: number) => `No warnings (${plural(decisions, "post", "posts")})`,
  needs: (approvals: number, rejections: number) =>
    `Needs ${[
      ...(approvals > 0
        ? [`${formatCount(approvals)} more ${approvals === 1 ? "approval" : "approvals"}`]
        : []),
      ...(rejections > 0
        ? [`${formatCount(rejections)} more ${rejections === 1 ? "rejection" : "rejections"}`]
        : []),
    ].join(" and ")} to start`,
  on: "On",
  onOf: (name: string) => `On: ${name}`,
  votes: "Votes",
  votesOf: (name: string) => `Votes: ${name}`,
  thresholdIn: "Threshold in %",
  thresholdOf: (name: string) => `Threshold in %: ${name}`,
  explicitIn: "Explicit from %",
  suggestiveIn: "Suggestive from %",
  thresholdWrong: "A number from 1 to 100, or empty for the default",
  defaultThreshold: (percent: string) => `Empty: ${percent} %`,
  learnerThreshold: "Empty: chosen from the decisions",
  rulesOn: (count: number) => `Rules: ${count} on`,
  ruleOn: (rule: string) => `Use: ${rule}`,
  calls: (calls: number, limit: number) => `${formatCount(calls)} of ${formatCount(limit)} calls today`,
  waiting: (count: number) => `${plural(count, "post waits", "posts wait")}`,
  paused: "Paused until",
  saved: "Saved. Stored posts are being judged again.",
  judging:
    "Stored posts are being judged again with the changed settings. Lists and the desk show the new advice as it is written.",
  notSetUp: (parts: string) => `Not set up: ${parts}`,
} as const;
