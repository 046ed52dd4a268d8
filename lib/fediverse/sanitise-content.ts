import sanitizeHtml from "sanitize-html";
import { cutMarks } from "#lib/base/unicode-text.ts";
import type { Budget } from "./budget.ts";
import { cleanText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";
import { resolveMarks } from "./resolve-marks.ts";

const BLOCKS = [
  "address", "article", "aside", "center", "dd", "details", "dl", "dt", "figcaption", "figure", "footer", "form",
  "header", "main", "nav", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
]; // prettier-ignore

const DISCARDED = [
  "script", "style", "textarea", "option", "xmp", "noscript", "template", "title", "svg", "iframe", "object", "select",
  "button", "audio", "video", "canvas",
]; // prettier-ignore

const LINK = { rel: "nofollow noopener noreferrer ugc", target: "_blank" };

/** The line that servers add to a post with a quote; no text of its author. */
const QUOTE_LINE = "quote-inline";

const classesOf = (attributes: sanitizeHtml.Attributes) => (attributes["class"] ?? "").split(/\s+/);

function block(tagName: string): sanitizeHtml.Transformer {
  return (_tag, attributes): sanitizeHtml.Tag => {
    return classesOf(attributes).includes(QUOTE_LINE)
      ? { tagName: "span", attribs: { class: QUOTE_LINE } }
      : { tagName, attribs: {} };
  };
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    "p", "br", "a", "span", "blockquote", "ul", "ol", "li", "code", "pre", "em", "strong", "b", "i", "u", "del", "div",
    "h1", "h2", "h3", "h4", "h5", "h6",
  ], // prettier-ignore
  allowedAttributes: { a: ["href", "rel", "target"], span: ["class", "title"] },
  allowedSchemes: ["http", "https"],
  allowProtocolRelative: false,
  nonTextTags: DISCARDED,
  nestingLimit: 40,
  transformTags: {
    ...Object.fromEntries(BLOCKS.map((tag) => [tag, block("div")])),
    p: block("p"),
    div: block("div"),
    s: "del",
    strike: "del",
    hr: "br",
    a: (_tag, attributes) => {
      const url = parseWebUrl(attributes["href"] ?? "");
      return url === null
        ? { tagName: "span", attribs: {} }
        : { tagName: "a", attribs: { href: url.href, ...LINK } };
    },
    span: (_tag, attributes) => {
      const classes = classesOf(attributes);
      const attribs: sanitizeHtml.Attributes = {};
      const mark = ["invisible", "ellipsis", QUOTE_LINE].find((name) => classes.includes(name));
      if (mark !== undefined) attribs["class"] = mark;
      return { tagName: "span", attribs };
    },
    // A page must not request foreign pictures.
    img: (_tag, attributes) => ({
      tagName: "span",
      attribs: { class: "alt", title: attributes["alt"] ?? attributes["title"] ?? "" },
    }),
  },
};

/**
 * Tags and entities in the HTML of one post and its author's profile. A long article has a few hundred; parsing 4000
 * takes up to 0.1 s.
 */
export const MAX_MARKUP = 4_000;

/**
 * Allowlist of elements without classes or styles; links only to absolute http(s) addresses without
 * credentials. Mastodon's `invisible` link parts are removed, and `…` follows `ellipsis` parts. Idempotent. Beyond
 * the budget the text is kept without any element.
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

function sanitiseOnce(html: string): { html: string; settled: boolean } {
  const { html: safe, settled } = resolveMarks(sanitizeHtml(html, OPTIONS));
  return { html: cleanText(safe), settled };
}

const LINE_END = /<\/?(?:p|br|div|li|ul|ol|blockquote|pre|h[1-6])\b[^<>]*>/gi;

/** In linear time. Hashtags that are split by elements stay whole. */
function withoutElements(html: string): string {
  return html
    .replace(LINE_END, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?!(?:amp|lt|gt|quot);)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
