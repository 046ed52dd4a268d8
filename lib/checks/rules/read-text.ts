import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import { MAX_CHECKED } from "#lib/checks/words/words.ts";

export interface TextFacts {
  /** Addresses of links, without those of mentions and hashtags. */
  links: string[];
  /** Number of distinct accounts. */
  mentions: number;
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

/** Reads the links and mentions of a post. Only the start of a long plain text is read, to bound the time. */
export function readPost({ content, plain_text }: { content: string; plain_text: string }): TextFacts {
  return readText(content || cutCodePoints(plain_text, MAX_CHECKED));
}

/** A link whose text begins with `#` or `@` is a hashtag or mention. */
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
    onlyTagsAndLinks: !MEANINGFUL.test(bare) && (links.size > 0 || HASHTAG_ONCE.test(text)),
  };
}

function decode(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
