import { reasonSentences } from "#lib/checks/learner/counts.ts";
import type { Scores } from "#lib/checks/pictures/models.ts";
import { labels } from "#lib/checks/remote/chat-model.ts";
import type { CheckName, CheckSetting, CheckSettings } from "#lib/checks/results/check-names.ts";
import {
  roundScore,
  upsettingCategories,
  type Check,
  type RawChecks,
  type RawPicture,
  type RawRule,
} from "#lib/checks/results/raw-checks.ts";
import { rules } from "#lib/checks/rules/rules.ts";

const MAX_REASONS = 3;

export interface Verdict {
  would_reject: boolean;
  score: number;
  /** At most three reasons, the strongest first. */
  reasons: string[];
  checks: Check[];
  vision_category: string | null;
  vision_confidence: number | null;
  /** Reason of the text rules. */
  text_reason: string | null;
}

/** A line of `ai_checks`, and its reasons for the reviewer. */
interface Opinion {
  check: Check;
  /** `strength`: 0–1. */
  reasons: { text: string; strength: number }[];
}

/**
 * Computes a verdict from stored results, without running a check.
 *
 * `would_reject`: a voting check is at or above its threshold. A failed check does not vote and is named in the reasons.
 * `score`: the learner's if it votes, otherwise that of the rules. It is at least the score of a voting picture check and
 * of each check that advises rejection.
 */
export function judge(raw: RawChecks, settings: CheckSettings): Verdict {
  const pictures = opinionsOfPictures(raw, settings);
  const remote = opinionsOfChatModel(raw, settings);
  const opinions = [
    ...opinionsOfRules(raw.rules, settings),
    ...opinionsOfLearner(raw, settings),
    ...pictures.opinions,
    ...remote.opinions,
  ];
  const checks = opinions.map(({ check }) => check);
  const failed = [...pictures.failed, ...remote.failed];
  return {
    would_reject: checks.some(isDecisive),
    score: scoreOf(checks),
    reasons: chooseReasons(opinions, failed),
    checks,
    ...categoryOf(raw, settings, remote.categories),
    text_reason: checks.find(({ name }) => name === "rules")?.reason ?? null,
  };
}

function isOver({ score, threshold }: Pick<Check, "score" | "threshold">): boolean {
  return score !== null && threshold !== null && score >= threshold;
}

function isDecisive(check: Check): boolean {
  return check.votes && isOver(check);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function scoreOf(checks: readonly Check[]): number {
  const voters = checks.filter((check) => check.votes && check.score !== null);
  const named = (name: CheckName) => voters.find((check) => check.name === name)?.score;
  const base = named("learner") ?? checks.find((check) => check.name === "rules")?.score ?? 0;
  const over = voters.filter(isDecisive).map((check) => check.score ?? 0);
  return Math.max(base, named("picture_explicit") ?? 0, ...over);
}

/** Reasons of checks that advise rejection come before all others. */
function chooseReasons(opinions: readonly Opinion[], failed: readonly string[]): string[] {
  const sorted = opinions
    .flatMap(({ check, reasons }) => reasons.map((reason) => ({ ...reason, decisive: isDecisive(check) })))
    .sort((a, b) => Number(b.decisive) - Number(a.decisive) || b.strength - a.strength);
  const max = failed.length > 0 ? MAX_REASONS - 1 : MAX_REASONS;
  const reasons = [...new Set(sorted.map((reason) => reason.text))].slice(0, max);
  if (failed.length > 0) reasons.push(`Could not be checked: ${failed.join(", ")}.`);
  return reasons;
}

const weights: ReadonlyMap<string, number> = new Map(rules.map(({ name, weight }) => [name, weight]));

/** A line for each rule that applied. Their common score is 1 − Π(1 − weight), as of independent probabilities. */
function opinionsOfRules(raw: readonly RawRule[], settings: CheckSettings): Opinion[] {
  const { enabled, votes, threshold } = settings.checks.rules;
  if (!enabled) return [];
  const hits = raw
    .flatMap(({ name, reason }) => {
      const score = weights.get(name);
      return score === undefined || !settings.rules.has(name) ? [] : [{ name, score, reason }];
    })
    .sort((a, b) => b.score - a.score);
  // Rounded, because 0.4 and 0.5 combine to slightly less than 0.7 in floating point.
  const score = roundScore(1 - hits.reduce((rest, hit) => rest * (1 - hit.score), 1));
  const reason = hits[0]?.reason ?? null;
  return [
    {
      check: { name: "rules", kind: "text", version: "1", score, threshold, votes, reason },
      reasons: hits.map((hit) => ({ text: hit.reason, strength: hit.score })),
    },
    ...hits.map((hit) => ({
      check: { ...hit, kind: "rule", version: "1", threshold: null, votes: false },
      reasons: [],
    })),
  ];
}

/** The learner gives a score once posts of both kinds were decided; it votes once it has a threshold. */
function opinionsOfLearner(
  { learner_score: score, learner_reasons }: RawChecks,
  { checks: { learner } }: CheckSettings,
): Opinion[] {
  if (!learner.enabled || score === null) return [];
  const { threshold } = learner;
  const votes = learner.votes && threshold !== null;
  const sentences = reasonSentences(learner_reasons.filter(({ weight }) => weight > 0 === score >= 0.5));
  const reason = sentences[0] ?? null;
  const check = { name: "learner", kind: "learner", version: "1", score, threshold, votes, reason };
  // Without a vote the learner is not yet good enough to be quoted.
  const shown = isDecisive(check) ? sentences : [];
  return [{ check, reasons: shown.map((text, index) => ({ text, strength: score / (index + 1) })) }];
}

/** The line of a check. Its reason is shown from the threshold on. */
function opinionOf(
  { votes, threshold }: CheckSetting,
  line: Pick<Check, "name" | "kind" | "version" | "score" | "reason">,
): Opinion {
  const { name, kind, version, score, reason } = line;
  const check = { name, kind, version, score, threshold, votes, reason };
  const isQuoted = reason !== null && isOver(check);
  return { check, reasons: isQuoted ? [{ text: reason, strength: score ?? 0 }] : [] };
}

/** P(porn) + P(hentai). */
function explicitIn({ porn, hentai }: Scores): number {
  return roundScore(porn + hentai);
}

const seenIn = (pictures: readonly RawPicture[]) =>
  pictures.flatMap(({ state, scores, medium, engine }) =>
    state === "done" && scores !== null ? [{ ...scores, medium, engine, explicit: explicitIn(scores) }] : [],
  );

function opinionsOfPictures(
  { picture_state, pictures }: RawChecks,
  { checks: { picture_explicit, picture_suggestive } }: CheckSettings,
): { opinions: Opinion[]; failed: string[] } {
  if (picture_state === "none" || !picture_explicit.enabled) return { opinions: [], failed: [] };
  const seen = seenIn(pictures);
  const nameOf = (medium: number) => (pictures.length > 1 ? `picture ${medium + 1}` : "the picture");
  // Waiting pictures will be tried again.
  const unread = picture_state === "waiting" ? [] : pictures.filter(({ state }) => state === "failed");
  const areAllUnread = unread.length > 1 && unread.length === pictures.length;
  const failed = areAllUnread ? ["the pictures"] : unread.map(({ medium }) => nameOf(medium));
  const look = (
    name: CheckName,
    setting: CheckSetting,
    by: "explicit" | "sexy",
    looks: string,
  ): Opinion[] => {
    const [most] = seen.toSorted((a, b) => b[by] - a[by]);
    if (most === undefined || !setting.enabled) return [];
    const { engine: version, medium } = most;
    const score = roundScore(most[by]);
    const sentence = `${nameOf(medium)} looks ${looks.replace("%", percent(score))}`;
    const reason = isOver({ score, threshold: setting.threshold })
      ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
      : null;
    return [opinionOf(setting, { name, kind: "picture", version, score, reason })];
  };
  const line = percent(picture_explicit.threshold ?? 1);
  const opinions = [
    ...look("picture_explicit", picture_explicit, "explicit", `explicit: %, the threshold is ${line}.`),
    ...look("picture_suggestive", picture_suggestive, "sexy", "suggestive: %."),
  ];
  if (seen.length > 0 || picture_state === "waiting") return { opinions, failed };
  const [first] = unread;
  const reason = first?.error
    ? `The picture could not be read: ${first.error}`
    : "The picture could not be read.";
  const none = { votes: picture_explicit.votes, threshold: null, score: null, reason };
  const check = { name: "picture_explicit", kind: "picture", version: first?.engine ?? "", ...none };
  return { opinions: [{ check, reasons: [] }], failed: unread.length === 0 ? ["the picture"] : failed };
}

interface Categorised {
  category: (typeof severity)[number];
  /** Probability, 0–1. */
  confidence: number;
}

/** Categories of pictures, worst first. */
const severity = [...upsettingCategories, "drawing", "neutral"] as const;
/** From this P(porn) + P(hentai) on, a picture is at least `uncertain`. */
const SUSPICIOUS = 0.3;

/** Category of the worst picture. */
function categoryOf(
  { picture_state, pictures }: RawChecks,
  { checks }: CheckSettings,
  remote: readonly Categorised[],
): Pick<Verdict, "vision_category" | "vision_confidence"> {
  const found = seenIn(pictures).map((scores) => categorise(scores, checks));
  const [worst] = [...found, ...remote].sort(
    (a, b) => severity.indexOf(a.category) - severity.indexOf(b.category) || b.confidence - a.confidence,
  );
  const isWithout = picture_state === "none" || picture_state === "unavailable";
  return {
    vision_category: worst?.category ?? (isWithout ? picture_state : null),
    vision_confidence: worst === undefined ? null : roundScore(worst.confidence),
  };
}

function categorise(
  scores: Scores,
  { picture_explicit, picture_suggestive }: CheckSettings["checks"],
): Categorised {
  const { porn, hentai, sexy, neutral, drawing } = scores;
  const explicit = explicitIn(scores);
  if (explicit >= (picture_explicit.threshold ?? 1))
    return { category: porn >= hentai ? "explicit" : "explicit_drawing", confidence: explicit };
  if (sexy >= (picture_suggestive.threshold ?? 1)) return { category: "suggestive", confidence: sexy };
  if (explicit >= SUSPICIOUS) return { category: "uncertain", confidence: explicit };
  const confidence = Math.max(porn, hentai, sexy, neutral, drawing);
  const category = neutral >= drawing ? "neutral" : "drawing";
  const isClear = scores[category] === confidence && confidence >= 0.5;
  return { category: isClear ? category : "uncertain", confidence };
}

function opinionsOfChatModel(
  { remote, picture_state }: RawChecks,
  { checks: { chat_model } }: CheckSettings,
): { opinions: Opinion[]; failed: string[]; categories: Categorised[] } {
  if (remote === null || !chat_model.enabled) return { opinions: [], failed: [], categories: [] };
  const { error, model: version } = remote;
  const [label, highest = 0] = Object.entries(remote.labels).sort(([, a], [, b]) => b - a)[0] ?? [];
  const score = error === null && label !== undefined ? roundScore(highest) : null;
  const finding = remote.reason || (score === null ? null : `${label}, ${percent(score)}.`);
  const reason = error ?? (finding && `Chat model: ${finding}`);
  // The labels do not tell the text from the pictures, so they count only for a post with pictures.
  const categories = chat_model.votes && picture_state !== "none" ? labels : [];
  return {
    opinions: [opinionOf(chat_model, { name: "chat_model", kind: "remote", version, score, reason })],
    failed: error === null ? [] : ["the chat model"],
    categories: categories.flatMap((category) => {
      const confidence = remote.labels[category] ?? 0;
      return isOver({ score: confidence, threshold: chat_model.threshold }) ? [{ category, confidence }] : [];
    }),
  };
}
