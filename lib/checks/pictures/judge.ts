import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import {
  isDecisive,
  isOver,
  percent,
  roundScore,
  upsettingCategories,
  type Check,
  type Opinion,
} from "#lib/checks/results/opinion.ts";
import type { RawChecks, RawPicture } from "#lib/checks/results/raw-checks.ts";
import type { Scores } from "./models.ts";

/** P(porn) + P(hentai) from which a picture is at least `uncertain`. */
const SUSPICIOUS = 0.3;
/** Worst first. */
const severity = [...upsettingCategories, "drawing", "neutral"] as const;

export interface Categorised {
  category: (typeof severity)[number];
  /** 0–1. */
  confidence: number;
}

/**
 * The worst picture decides.
 *
 * @param remote categories that the chat model gave
 */
export function judgePictures(
  { picture_state, pictures }: Pick<RawChecks, "picture_state" | "pictures">,
  { checks: { picture_explicit, picture_suggestive } }: CheckSettings,
  remote: readonly Categorised[],
): Opinion & { category: string | null; confidence: number | null } {
  const seen = pictures.flatMap(({ state, scores, medium, engine }) =>
    state === "done" && scores !== null ? [{ ...scores, medium, engine, explicit: explicitIn(scores) }] : [],
  );
  const lines = { explicit: picture_explicit.threshold ?? 1, suggestive: picture_suggestive.threshold ?? 1 };
  const categories = [...seen.map((each) => categorise(each, lines)), ...remote].sort(
    (a, b) => severity.indexOf(a.category) - severity.indexOf(b.category) || b.confidence - a.confidence,
  );
  const [worst] = categories;
  const without = picture_state === "none" || picture_state === "unavailable" ? picture_state : null;
  const judged = {
    category: worst?.category ?? without,
    confidence: worst === undefined ? null : roundScore(worst.confidence),
  };
  const opinion: Opinion = { checks: [], reasons: [], failed: [] };
  if (picture_state === "none" || !picture_explicit.enabled) return { ...opinion, ...judged };
  const nameOf = (medium: number) => (pictures.length > 1 ? `picture ${medium + 1}` : "the picture");
  // Waiting pictures will be tried again.
  const unread = picture_state === "waiting" ? [] : pictures.filter(({ state }) => state === "failed");
  const areAllUnread = unread.length > 1 && unread.length === pictures.length;
  opinion.failed.push(...(areAllUnread ? ["the pictures"] : unread.map(({ medium }) => nameOf(medium))));
  const add = (name: "picture_explicit" | "picture_suggestive", by: "explicit" | "sexy", reason: string) => {
    const [most] = seen.toSorted((a, b) => b[by] - a[by]);
    const { votes, threshold, enabled } = name === "picture_explicit" ? picture_explicit : picture_suggestive;
    if (most === undefined || !enabled) return;
    const score = roundScore(most[by]);
    const check: Check = {
      name,
      kind: "picture",
      version: most.engine,
      score,
      threshold,
      votes,
      reason: null,
    };
    if (isOver(check))
      check.reason = `${capital(nameOf(most.medium))} looks ${reason.replace("%", percent(score))}`;
    opinion.checks.push(check);
    const { reason: text } = check;
    if (text !== null) opinion.reasons.push({ text, strength: score, decisive: isDecisive(check) });
  };
  add("picture_explicit", "explicit", `explicit: %, the threshold is ${percent(lines.explicit)}.`);
  add("picture_suggestive", "sexy", "suggestive: %.");
  if (seen.length === 0 && picture_state !== "waiting") {
    if (unread.length === 0) opinion.failed.push("the picture");
    opinion.checks.push(unreadCheck(unread[0], picture_explicit.votes));
  }
  return { ...opinion, ...judged };
}

function explicitIn({ porn, hentai }: Scores): number {
  return roundScore(porn + hentai);
}

function categorise(scores: Scores, lines: { explicit: number; suggestive: number }): Categorised {
  const { porn, hentai, sexy, neutral, drawing } = scores;
  const explicit = explicitIn(scores);
  if (explicit >= lines.explicit)
    return { category: porn >= hentai ? "explicit" : "explicit_drawing", confidence: explicit };
  if (sexy >= lines.suggestive) return { category: "suggestive", confidence: sexy };
  if (explicit >= SUSPICIOUS) return { category: "uncertain", confidence: explicit };
  const confidence = Math.max(porn, hentai, sexy, neutral, drawing);
  const category = neutral >= drawing ? "neutral" : "drawing";
  const isClear = scores[category] === confidence && confidence >= 0.5;
  return { category: isClear ? category : "uncertain", confidence };
}

function unreadCheck(picture: RawPicture | undefined, votes: boolean): Check {
  const why = picture?.error;
  return {
    name: "picture_explicit",
    kind: "picture",
    version: picture?.engine ?? "",
    score: null,
    threshold: null,
    votes,
    reason: why == null ? "The picture could not be read." : `The picture could not be read: ${why}`,
  };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
