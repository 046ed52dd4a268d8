import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import {
  isDecisive,
  isOver,
  percent,
  roundScore,
  type Check,
  type Opinion,
  upsettingCategories,
} from "#lib/checks/results/opinion.ts";
import type { PictureScores, RawChecks, RawPicture } from "#lib/checks/results/raw-checks.ts";

/** P(porn) + P(hentai) from which a picture is at least `uncertain`. */
const SUSPICIOUS = 0.3;
/** Worst first. */
const severity = [...upsettingCategories, "drawing", "neutral"] as const;
export type PictureCategory = (typeof severity)[number];

export interface Categorised {
  category: PictureCategory;
  /** 0–1. */
  confidence: number;
}

interface Seen {
  medium: number;
  scores: PictureScores;
  explicit: number;
  line: number;
  engine: string;
}

/**
 * The worst picture decides.
 *
 * @param remote categories that the chat model gave
 */
export function judgePictures(
  raw: Pick<RawChecks, "picture_state" | "pictures">,
  settings: CheckSettings,
  remote: readonly Categorised[],
): Opinion & { category: string | null; confidence: number | null } {
  const seen = raw.pictures.flatMap((picture) => seenIn(picture, settings));
  const suggestiveFrom = settings.checks.picture_suggestive.threshold ?? 1;
  const categories = [...seen.map((each) => categorise(each, suggestiveFrom)), ...remote];
  const worst = severity
    .map((category) => strongest(categories.filter((each) => each.category === category)))
    .find((each) => each !== undefined);
  const stands = worst ?? withoutCategory(raw.picture_state);
  return {
    ...opinionOf(raw, seen, settings),
    category: stands?.category ?? null,
    confidence: worst === undefined ? null : roundScore(worst.confidence),
  };
}

function withoutCategory(state: RawChecks["picture_state"]): { category: string } | null {
  return state === "none" || state === "unavailable" ? { category: state } : null;
}

function seenIn(picture: RawPicture, settings: CheckSettings): Seen[] {
  const { medium, scores, engine } = picture;
  if (picture.state !== "done" || scores === null) return [];
  const line = settings.checks.picture_explicit.threshold ?? 1;
  return [{ medium, scores, explicit: roundScore(scores.porn + scores.hentai), line, engine }];
}

function categorise({ scores, explicit, line }: Seen, suggestiveFrom: number): Categorised {
  if (explicit >= line) {
    return { category: scores.porn >= scores.hentai ? "explicit" : "explicit_drawing", confidence: explicit };
  }
  if (scores.sexy >= suggestiveFrom) return { category: "suggestive", confidence: scores.sexy };
  if (explicit >= SUSPICIOUS) return { category: "uncertain", confidence: explicit };
  const category = scores.neutral >= scores.drawing ? "neutral" : "drawing";
  const best = Math.max(...Object.values(scores));
  return scores[category] === best && best >= 0.5
    ? { category, confidence: best }
    : { category: "uncertain", confidence: best };
}

function strongest(all: readonly Categorised[]): Categorised | undefined {
  return all.toSorted((a, b) => b.confidence - a.confidence)[0];
}

function opinionOf(
  { picture_state, pictures }: Pick<RawChecks, "picture_state" | "pictures">,
  seen: readonly Seen[],
  { checks: { picture_explicit: explicit, picture_suggestive: suggestive } }: CheckSettings,
): Opinion {
  const opinion: Opinion = { checks: [], reasons: [], failed: [] };
  if (picture_state === "none" || !explicit.enabled) return opinion;
  // Waiting pictures will be tried again.
  const unread = picture_state === "waiting" ? [] : pictures.filter(({ state }) => state === "failed");
  opinion.failed.push(...namesOf(unread, pictures.length));
  const worst = seen.toSorted((a, b) => b.explicit - b.line - (a.explicit - a.line))[0];
  if (worst === undefined) {
    if (picture_state === "waiting") return opinion;
    if (opinion.failed.length === 0) opinion.failed.push("the picture");
    opinion.checks.push(unreadCheck(unread, explicit.votes));
    return opinion;
  }
  const { line, engine: version } = worst;
  const shared = { kind: "picture", version } as const;
  addCheck(
    opinion,
    { ...shared, name: "picture_explicit", score: worst.explicit, threshold: line, votes: explicit.votes },
    `${nameOf(worst.medium, pictures.length)} looks explicit: ${percent(worst.explicit)}, the threshold is ${percent(line)}.`,
  );
  const bare = seen.toSorted((a, b) => b.scores.sexy - a.scores.sexy)[0];
  if (bare !== undefined && suggestive.enabled) {
    const { votes, threshold } = suggestive;
    const score = roundScore(bare.scores.sexy);
    addCheck(
      opinion,
      { ...shared, name: "picture_suggestive", score, threshold, votes },
      `${nameOf(bare.medium, pictures.length)} looks suggestive: ${percent(score)}.`,
    );
  }
  return opinion;
}

/** @param text the reason when the check flags the post */
function addCheck(opinion: Opinion, check: Omit<Check, "reason">, text: string): void {
  const over = isOver(check);
  const line = { ...check, reason: over ? text : null };
  opinion.checks.push(line);
  if (over) opinion.reasons.push({ text, strength: check.score ?? 0, decisive: isDecisive(line) });
}

function unreadCheck(unread: readonly RawPicture[], votes: boolean): Check {
  const why = unread[0]?.error;
  return {
    name: "picture_explicit",
    kind: "picture",
    version: unread[0]?.engine ?? "",
    score: null,
    threshold: null,
    votes,
    reason: why == null ? "The picture could not be read." : `The picture could not be read: ${why}`,
  };
}

function nameOf(medium: number, pictures: number): string {
  return pictures > 1 ? `Picture ${medium + 1}` : "The picture";
}

function namesOf(unread: readonly RawPicture[], pictures: number): string[] {
  if (unread.length > 1 && unread.length === pictures) return ["the pictures"];
  return unread.map(({ medium }) => (pictures > 1 ? `picture ${medium + 1}` : "the picture"));
}
