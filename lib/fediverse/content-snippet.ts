import { cutCodePoints } from "./clean-text.ts";

export const SNIPPET_LENGTH = 280;

/** Enough text behind the cut to know whether it goes through a grapheme cluster. */
const LOOK_AHEAD = 64;

/**
 * Marks, joiners, fillers and blanks: a text of nothing else shows nothing, and a consumer would take it as empty.
 * (U+115F U+1160 U+3164 U+FFA0 are Hangul fillers, U+2800 is the blank Braille pattern.)
 */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

export interface SnippetSource {
  plainText: string;
  spoilerText: string;
  media: readonly { description: string | null }[];
  hashtags: readonly string[];
}

/**
 * `content_snippet` of a queue item (contract §3): the plain text, white space collapsed, at most 280 code points, cut
 * back to a whole grapheme cluster, no mark of the cut. A post without text gets a stand-in (consumers.md): its
 * content warning, else the alt text of its first medium, else its hashtags, else `(no text)`. Never empty.
 */
export function contentSnippet(source: SnippetSource): string {
  const candidates = [
    source.plainText,
    source.spoilerText,
    source.media[0]?.description ?? "",
    source.hashtags.map((hashtag) => `#${hashtag}`).join(" "),
  ];
  const text = candidates.map(collapse).find((candidate) => !INVISIBLE.test(candidate));
  return text === undefined ? "(no text)" : cutAtGrapheme(text, SNIPPET_LENGTH);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** At most `max` code points, ending where a grapheme cluster ends; a single cluster longer than that is cut hard. */
export function cutAtGrapheme(text: string, max: number): string {
  const cut = cutCodePoints(text, max);
  if (cut.length === text.length) return text;
  let end = 0;
  for (const { index } of graphemes.segment(cutCodePoints(text, max + LOOK_AHEAD))) {
    if (index > cut.length) break;
    end = index;
  }
  return end === 0 ? cut : text.slice(0, end);
}
