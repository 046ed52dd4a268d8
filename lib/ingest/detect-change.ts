import { isDeepStrictEqual } from "node:util";
import type { NormalisedMedia, NormalisedPoll } from "#lib/fediverse/normalised-post.ts";

/** What of a post a later look can change: the stored form and the one that just came in are compared by it. */
export interface PostWords {
  from_home: boolean;
  edited_at: string | null;
  content: string;
  plain_text: string;
  spoiler_text: string | null;
  media: NormalisedMedia[];
  poll: NormalisedPoll | null;
  boosts: number;
  likes: number;
  replies: number;
  /** All that is shown and no reviewer's decision rests on: names, avatar, hashtags, language, card, signals. */
  rest: Record<string, unknown>;
}

/**
 * - `none`: nothing to write.
 * - `counters`: boosts, likes and replies only.
 * - `refresh`: the home server's own words; what a reviewer decided on is the same.
 * - `edit`: text, warning or media changed at home: an approval does not hold for it any more.
 * - `differs`: another server's copy says something else than what is stored, and the home server has to be asked.
 */
export type ChangeKind = "none" | "counters" | "refresh" | "edit" | "differs";

/**
 * What a post that is seen again means (docs/fediverse.md#which-server-is-believed): a server may speak only for its own posts, so only
 * the home server's words replace what is stored; other copies raise counters, or raise doubts.
 */
export function judgeChange(stored: PostWords, seen: PostWords): ChangeKind {
  const counters = countersAfter(stored, seen);
  const counted =
    counters.boosts !== stored.boosts ||
    counters.likes !== stored.likes ||
    counters.replies !== stored.replies;
  const otherwise = counted ? "counters" : "none";
  if (!seen.from_home) return isDoubtful(stored, seen) ? "differs" : otherwise;
  // A cache on their side may still answer with what was before the edit we know of.
  if (stored.from_home && isLater(stored.edited_at, seen.edited_at)) return otherwise;
  if (saysElse(stored, seen) || (isLater(seen.edited_at, stored.edited_at) && showsElse(stored, seen)))
    return "edit";
  return isSame(stored, seen) ? otherwise : "refresh";
}

/** The home server's figures as they are; another server has seen only a part, so it can only raise them. */
export function countersAfter(
  stored: Pick<PostWords, "boosts" | "likes" | "replies">,
  seen: PostWords,
): Pick<PostWords, "boosts" | "likes" | "replies"> {
  const figure = (key: "boosts" | "likes" | "replies") =>
    seen.from_home ? seen[key] : Math.max(stored[key], seen[key]);
  return { boosts: figure("boosts"), likes: figure("likes"), replies: figure("replies") };
}

/** A copy of another server against what is stored. When the home server has spoken, only a later edit is news. */
function isDoubtful(stored: PostWords, seen: PostWords): boolean {
  if (stored.from_home && !isLater(seen.edited_at, stored.edited_at)) return false;
  return saysElse(stored, seen);
}

/** Differences that no rendering of the same post on another server explains. */
function saysElse(stored: PostWords, seen: PostWords): boolean {
  return (
    textKey(stored.plain_text) !== textKey(seen.plain_text) ||
    textKey(stored.spoiler_text ?? "") !== textKey(seen.spoiler_text ?? "") ||
    !isDeepStrictEqual(stored.media.map(mediumKey), seen.media.map(mediumKey))
  );
}

/** Differences that count once the server says that the post was edited: markup, links, files, poll options. */
function showsElse(stored: PostWords, seen: PostWords): boolean {
  return (
    stored.content !== seen.content ||
    !isDeepStrictEqual(
      stored.media.map((medium) => medium.url),
      seen.media.map((medium) => medium.url),
    ) ||
    !isDeepStrictEqual(optionsOf(stored.poll), optionsOf(seen.poll))
  );
}

function isSame(stored: PostWords, seen: PostWords): boolean {
  return (
    stored.from_home === seen.from_home &&
    stored.edited_at === seen.edited_at &&
    stored.content === seen.content &&
    isDeepStrictEqual(stored.media, seen.media) &&
    isDeepStrictEqual(stored.poll, seen.poll) &&
    isDeepStrictEqual(stored.rest, seen.rest)
  );
}

function isLater(a: string | null, b: string | null): boolean {
  return a !== null && (b === null || a > b);
}

/** White space and the hosts of mentions are rendered differently by each software. */
function textKey(text: string): string {
  return text
    .normalize("NFC")
    .replace(/(@[\w.-]+)@[\w.-]+/gu, "$1")
    .replace(/[\s\u200b-\u200d\ufeff]+/gu, "");
}

/** Files are kept elsewhere by each server; what they are and how they are described is the same. */
function mediumKey(medium: NormalisedMedia): [string, string] {
  // A gifv here is a video there.
  return [medium.type === "gifv" ? "video" : medium.type, medium.description?.trim() ?? ""];
}

function optionsOf(poll: NormalisedPoll | null): string[] {
  return poll?.options.map((option) => option.title) ?? [];
}
