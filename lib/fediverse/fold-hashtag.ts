/**
 * Letters that Mastodon folds to ASCII before it compares hashtags, written as `letters>equivalent` pairs.
 * Source: Mastodon `app/lib/ascii_folding.rb`. Only the small letters and the few capitals whose lower case is
 * outside the table are needed here, because folding happens after lower-casing.
 */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  a: "àáâãäåāăą",
  c: "çćĉċč",
  d: "ðďđ",
  e: "èéêëēĕėęě",
  g: "ĝğġģ",
  h: "ĥħ",
  i: "ìíîïĩīĭįı",
  j: "ĵ",
  k: "ķĸ",
  l: "ĺļľŀł",
  n: "ñńņňŉŋ",
  o: "òóôõöøōŏő",
  r: "ŕŗř",
  s: "śŝşšſ",
  t: "ţťŧ",
  u: "ùúûüũūŭůűų",
  w: "ŵ",
  y: "ýÿŷ",
  z: "źżž",
};

const ASCII_OF = new Map(
  Object.entries(FOLDED_LETTERS).flatMap(([ascii, letters]) =>
    [...letters].map((letter) => [letter, ascii] as const),
  ),
);

/**
 * The form in which two hashtags are compared: NFKC, lower case, ASCII-folded, as Mastodon does it
 * (`HashtagNormalizer`), so `#Café`, `cafe` and `ＣＡＦÉ` are one hashtag. A leading `#` and surrounding white space
 * are taken off first. No dependencies: also used in the browser.
 *
 * @param hashtag one hashtag, with or without `#`
 */
export function foldHashtag(hashtag: string): string {
  // Lower-casing can undo NFKC (and the other way round) for a handful of letters, hence the second normalisation.
  const lower = hashtag
    .normalize("NFKC")
    .trim()
    .replace(/^[#\s]+/u, "")
    .toLowerCase()
    .normalize("NFKC");
  let folded = "";
  for (const letter of lower) folded += ASCII_OF.get(letter) ?? letter;
  return folded;
}
