import sanitizeHtml from "sanitize-html";
import { cutMarks } from "#lib/base/unicode-text.ts";
import type { Budget } from "./budget.ts";
import { cleanText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";

const BLOCKS = [
  "address", "article", "aside", "center", "dd", "details", "dl", "dt", "figcaption", "figure", "footer", "form",
  "header", "main", "nav", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
]; // prettier-ignore

const DISCARDED = [
  "script", "style", "textarea", "option", "xmp", "noscript", "template", "title", "svg", "iframe", "object", "select",
  "button", "audio", "video", "canvas",
]; // prettier-ignore

const LINK = { rel: "nofollow noopener noreferrer ugc", target: "_blank" };

/** Class of the line that servers add to a post with a quote. Its author did not write it. */
const QUOTE_LINE = "quote-inline";

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** Classes of elements that are removed with their content. */
const HIDDEN = new Set(["invisible", QUOTE_LINE]);

const classesOf = (attributes: sanitizeHtml.Attributes) => (attributes["class"] ?? "").split(/\s+/);
/** Replaces an element whose content stays. */
const unwrapped: sanitizeHtml.Tag = { tagName: "span", attribs: {} };

const RENAMED = new Map([
  ...BLOCKS.map((tag) => [tag, "div"] as const),
  ...HEADINGS.map((tag) => [tag, "h1"] as const),
  ["s", "del"],
  ["strike", "del"],
  ["hr", "br"],
]);

const TRANSFORMS: Record<string, sanitizeHtml.Transformer> = {
  // A page must not request foreign pictures.
  img: (_tag, { alt, title }) => ({ ...unwrapped, text: alt ?? title ?? "" }),
  // After those of single elements. One function, because the library copies the table for each text.
  "*": (tag, attributes) => {
    if (tag === "a" || tag === "span") return { tagName: tag, attribs: attributes };
    const tagName = RENAMED.get(tag) ?? tag;
    const isQuoteLine = /^(?:p|div)$/.test(tagName) && classesOf(attributes).includes(QUOTE_LINE);
    return isQuoteLine ? { tagName: "span", attribs: { class: QUOTE_LINE } } : { tagName, attribs: {} };
  },
};

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    "p", "br", "a", "span", "blockquote", "ul", "ol", "li", "code", "pre", "em", "strong", "b", "i", "u", "del", "div", "h1",
  ], // prettier-ignore
  allowedAttributes: { a: ["href", "rel", "target"], span: ["class"] },
  allowedSchemes: ["http", "https"],
  allowProtocolRelative: false,
  nonTextTags: DISCARDED,
  nestingLimit: 40,
  exclusiveFilter: ({ attribs }) => HIDDEN.has(attribs["class"] ?? ""),
};

/**
 * Tags and entities in the HTML of one post and its author's profile. A long article has a few hundred; parsing 4000
 * takes up to 0.1 s.
 */
export const MAX_MARKUP = 4_000;

/**
 * Sanitises HTML: an allowlist of elements without classes and styles, and links only to absolute http(s) addresses without
 * credentials. Removes Mastodon's `invisible` parts of links, and writes `…` after `ellipsis` parts. Idempotent. Beyond the
 * budget the text stays without elements.
 *
 * @param html untrusted HTML; callers limit its size
 * @param budget reduced by this call
 */
export function sanitiseContent(html: string, budget: Budget = { left: MAX_MARKUP }): string {
  const text = cleanText(html);
  // Skips the slow parser for plain text.
  if (!/[<&]/.test(text)) return text.replaceAll(">", "&gt;");
  budget.left -= text.match(/[<&]/g)?.length ?? 0;
  if (budget.left < 0) return cutMarks(withoutElements(text));
  let { html: safe, settled } = sanitiseOnce(text);
  for (let look = 0; look < 3 && !settled; look++) {
    const again = sanitiseOnce(safe).html;
    settled = again === safe;
    safe = again;
  }
  return safe;
}

const KEPT = /^(?:p|br|a|span|blockquote|ul|ol|li|code|pre|em|strong|b|i|u|del|div|img)$/;
const BLOCK = /^(?:p|div|ul|ol|li|blockquote|pre)$/;

/** @returns `settled` false when a replaced element may have left one block directly in another */
function sanitiseOnce(html: string): { html: string; settled: boolean } {
  let settled = true;
  const open: { name: string; isLink: boolean }[] = [];
  const isInLink = () => open.some(({ isLink }) => isLink);
  const safe = sanitizeHtml(html, {
    ...OPTIONS,
    onOpenTag: (name) => {
      if (!KEPT.test(name) || (BLOCK.test(name) && open.some((outer) => /^(?:span|a)$/.test(outer.name))))
        settled = false;
      open.push({ name, isLink: false });
    },
    onCloseTag: () => open.pop(),
    transformTags: {
      ...TRANSFORMS,
      a: (_tag, attributes) => {
        const url = parseWebUrl(attributes["href"] ?? "");
        const own = open.at(-1);
        // Browsers would end the outer link early.
        if (url === null || own === undefined || isInLink()) return unwrapped;
        own.isLink = true;
        return { tagName: "a", attribs: { href: url.href, ...LINK } };
      },
      span: (_tag, attributes) => {
        const classes = classesOf(attributes);
        const mark = ["invisible", "ellipsis", QUOTE_LINE].find((name) => classes.includes(name));
        // Outside a link it is text that only the reviewer would not see.
        if (mark === undefined || (mark === "invisible" && !isInLink())) return unwrapped;
        return { tagName: "span", attribs: { class: mark } };
      },
    },
  });
  return { html: cleanText(withoutMarks(safe)), settled };
}

const EMPTY_LINK = /<a [^>]*>(\s*)<\/a>/g;

/** Removes spans and headings but not their content, and writes `…` after a shortened address. */
function withoutMarks(html: string): string {
  const ends: string[] = [];
  return html
    .replaceAll('<span class="ellipsis"></span>', "")
    .replace(
      /(…?)<(\/?)span( class="ellipsis")?>/g,
      (_span, dots: string, slash: string, isShort?: string) => {
        if (slash !== "") return ends.pop() || dots;
        ends.push(isShort === undefined ? "" : "…");
        return dots;
      },
    )
    .replaceAll("<h1>", "<div><strong>")
    .replaceAll("</h1>", "</strong></div>")
    .replace(EMPTY_LINK, "$1");
}

const LINE_END = /<\/?(?:p|br|div|li|ul|ol|blockquote|pre|h[1-6])\b[^<>]*>/gi;

/** Removes all elements in linear time. A hashtag that elements split stays whole. */
function withoutElements(html: string): string {
  return html
    .replace(LINE_END, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?!(?:amp|lt|gt|quot);)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
