import { cutMarks } from "#lib/base/unicode-text.ts";

/** Removes NUL and replaces lone surrogates by U+FFFD: PostgreSQL refuses both. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** Text that can be stored and safely normalised. */
export function cleanText(text: string): string {
  return cutMarks(storableText(text));
}

export function cutCodePoints(text: string, max: number): string {
  // A string has at least as many UTF-16 units as code points.
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

const TOKEN = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const LINE_ENDS = new Set(["p", "br", "div", "blockquote", "ul", "ol", "li", "pre"]);
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * Plain text with one line for each block or `<br>`. White space is collapsed except in `<pre>`. The output of
 * `sanitiseContent` contains only these four entities.
 */
export function plainTextOf(sanitisedHtml: string): string {
  let text = "";
  let preformatted = 0;
  for (const [token, slash, name] of sanitisedHtml.matchAll(TOKEN)) {
    if (name === undefined) {
      text += preformatted > 0 ? token : token.replace(/[ \t\r\n\f]+/g, " ");
      continue;
    }
    if (name === "pre") preformatted = Math.max(0, preformatted + (slash === "/" ? -1 : 1));
    if (LINE_ENDS.has(name)) text += "\n";
  }
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
  // Cut again, because elements may have split runs of combining marks.
  return cutMarks(lines);
}

export const SNIPPET_LENGTH = 280;

/** Characters after the cut that are read to find its grapheme cluster. */
const LOOK_AHEAD = 64;

/**
 * Text without a visible character, which consumers treat as empty. U+115F, U+1160, U+3164 and U+FFA0 are Hangul fillers;
 * U+2800 is the blank Braille pattern.
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
 * The plain text in one line of at most 280 code points, cut between grapheme clusters, without an ellipsis. A post without text
 * has its content warning, alt text or hashtags, or `(no text)`.
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

/** Cuts between grapheme clusters; within a cluster that is longer than `max`. */
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
