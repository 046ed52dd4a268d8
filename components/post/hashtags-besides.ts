import { plainText } from "#lib/client/plain-text.ts";

/** The hashtags that the text does not show, and blocked ones, which are marked. */
export function tagsBesides(
  html: string,
  tags: readonly string[],
  blocked: readonly string[],
): readonly string[] {
  const shown = new Set(
    plainText(html)
      .match(/#[^\s#]+/gu)
      ?.map(folded) ?? [],
  );
  return tags.filter((tag) => blocked.includes(tag) || !shown.has(folded(tag)));
}

/** Without the punctuation after it. */
function folded(tag: string): string {
  return tag
    .normalize("NFKC")
    .toLowerCase()
    .replace(/^#|[^\p{L}\p{M}\p{N}_]+$/gu, "");
}
