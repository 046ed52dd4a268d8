import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import type { Categorised, PictureCategory } from "#lib/checks/pictures/judge.ts";
import type { RawChecks, RawRemote } from "#lib/checks/results/raw-checks.ts";
import {
  isDecisive,
  isOver,
  percent,
  roundScore,
  type Check,
  type Opinion,
} from "#lib/checks/results/opinion.ts";

/** By the beginning of the label; the first that fits. Other labels are `other_unsafe`. */
const CATEGORIES: readonly (readonly [label: string, category: PictureCategory])[] = [
  ["sexual", "explicit"],
  ["explicit", "explicit"],
  ["violence/graphic", "graphic"],
  ["graphic", "graphic"],
  ["self-harm", "graphic"],
  ["hate", "hateful"],
];

/** Opinions of remote providers: moderation, and the answer to the stream's question. */
export function judgeRemote(
  raw: Pick<RawChecks, "remote" | "question_votes" | "picture_state">,
  settings: CheckSettings,
): Opinion & { categories: Categorised[] } {
  const { remote_moderation: moderation, question } = settings.checks;
  const opinion = { checks: [], reasons: [], failed: [], categories: [] as Categorised[] } as Opinion & {
    categories: Categorised[];
  };
  const moderated = raw.remote.remote_moderation;
  if (moderated !== undefined && moderation.enabled) {
    const check = checkOf("remote_moderation", "remote", moderated, moderation);
    opinion.checks.push(check);
    // Until it is shown or votes, its results are only recorded.
    if (moderation.votes || moderation.shown) addReason(opinion, check, moderated, "the moderation service");
    // Labels do not say whether they are about the text or a picture.
    if (moderation.votes && raw.picture_state !== "none") {
      opinion.categories.push(...categoriesOf(moderated, moderation.threshold));
    }
  }
  const reply = raw.remote.question;
  if (reply !== undefined && question.enabled) {
    const votes = question.votes || raw.question_votes;
    const check = checkOf("question", "question", reply, { ...question, votes });
    opinion.checks.push(check);
    if (votes || question.shown) addReason(opinion, check, reply, "the stream's question");
  }
  return opinion;
}

function checkOf(
  name: string,
  kind: "remote" | "question",
  result: RawRemote,
  { votes, threshold }: { votes: boolean; threshold: number | null },
): Check {
  const score = scoreOf(result);
  return {
    name,
    kind,
    version: result.model,
    score,
    threshold,
    votes,
    reason: reasonOf(kind, result, score),
  };
}

/** @returns null if the provider failed or gave no opinion */
function scoreOf({ error, labels, would_reject }: RawRemote): number | null {
  if (error !== null) return null;
  const scores = Object.values(labels);
  if (scores.length > 0) return roundScore(Math.max(...scores));
  return would_reject === null ? null : Number(would_reject);
}

function reasonOf(kind: "remote" | "question", result: RawRemote, score: number | null): string | null {
  if (result.error !== null) return result.error;
  const said = kind === "question" ? "Answer to the stream's question" : `Moderation by ${result.provider}`;
  if (result.reason !== null && result.reason !== "") return `${said}: ${result.reason}`;
  const label = Object.keys(result.labels).find((name) => roundScore(result.labels[name] ?? 0) === score);
  return label === undefined || score === null ? null : `${said}: ${label}, ${percent(score)}.`;
}

/** An unsure answer is no failure. */
function addReason(opinion: Opinion, check: Check, { error }: RawRemote, name: string): void {
  if (error !== null) opinion.failed.push(name);
  else if (check.score !== null && check.reason !== null && isOver(check))
    opinion.reasons.push({ text: check.reason, strength: check.score, decisive: isDecisive(check) });
}

function categoriesOf({ labels }: RawRemote, threshold: number | null): Categorised[] {
  return Object.entries(labels)
    .filter(([, score]) => isOver({ score, threshold }))
    .map(([label, confidence]) => ({
      category: CATEGORIES.find(([begins]) => label.startsWith(begins))?.[1] ?? "other_unsafe",
      confidence,
    }));
}
