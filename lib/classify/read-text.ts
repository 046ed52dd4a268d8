/** The properties of a text that rules use. */
export interface TextFacts {
  /** Distinct link addresses without mentions and hashtags. */
  links: string[];
  /** Number of different mentioned accounts. */
  mentions: number;
  /** Letters with two cases outside links, mentions and hashtags, and the number of capitals. */
  cased: number;
  capitals: number;
  /** True for a text of nothing but links, mentions and hashtags. */
  onlyTagsAndLinks: boolean;
}

const ANCHOR = /<a\b[^>]*?\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g;
const ELEMENT = /<[^>]*>/g;
const MENTION =
  /(?<![\p{L}\p{N}_.@/])@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*(?:@[\p{L}\p{N}.-]+[\p{L}\p{N}])?/gu;
const HASHTAG = /#[\p{L}\p{M}\p{N}_]+/gu;
const HASHTAG_ONCE = /#[\p{L}\p{M}\p{N}_]/u;
const BARE_ADDRESS = /https?:\/\/\S+/g;
const MEANINGFUL = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/**
 * Reads sanitised HTML (lib/fediverse/sanitise-content.ts). Only `href` matters. A link whose text starts
 * with `#` or `@` is a hashtag or mention, as on all servers.
 */
export function readText(sanitisedHtml: string): TextFacts {
  const links = new Set<string>();
  const text = decode(
    sanitisedHtml
      .replace(ANCHOR, (_whole, href: string, inner: string) => {
        const label = inner.replace(ELEMENT, "").trim();
        if (label.startsWith("#") || label.startsWith("@")) return ` ${label} `;
        links.add(decode(href));
        return " ";
      })
      .replace(ELEMENT, " "),
  );
  for (const [address] of text.matchAll(BARE_ADDRESS)) links.add(address);
  const mentions = new Set([...text.matchAll(MENTION)].map(([mention]) => mention.toLowerCase()));
  const bare = text.replace(BARE_ADDRESS, " ").replace(MENTION, " ").replace(HASHTAG, " ");
  return {
    links: [...links],
    mentions: mentions.size,
    cased: bare.match(/[\p{Lu}\p{Ll}]/gu)?.length ?? 0,
    capitals: bare.match(/\p{Lu}/gu)?.length ?? 0,
    onlyTagsAndLinks: !MEANINGFUL.test(bare) && (links.size > 0 || HASHTAG_ONCE.test(text)),
  };
}

/** The four entities of the sanitiser. */
function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
