import sanitizeHtml from "sanitize-html";
import { cleanText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";
import { resolveMarks } from "./resolve-marks.ts";

/** Elements that end a line and carry no meaning we show. */
const BLOCKS = [
  "address", "article", "aside", "center", "dd", "details", "dl", "dt", "figcaption", "figure", "footer", "form",
  "header", "main", "nav", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
]; // prettier-ignore

/** Elements whose text is dropped. */
const DISCARDED = [
  "script", "style", "textarea", "option", "xmp", "noscript", "template", "title", "svg", "iframe", "object", "select",
  "button", "audio", "video", "canvas",
]; // prettier-ignore

const LINK = { rel: "nofollow noopener noreferrer ugc", target: "_blank" };

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
    ...Object.fromEntries(BLOCKS.map((tag) => [tag, "div"])),
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
      const classes = (attributes["class"] ?? "").split(/\s+/);
      const attribs: sanitizeHtml.Attributes = {};
      const mark = ["invisible", "ellipsis"].find((name) => classes.includes(name));
      if (mark !== undefined) attribs["class"] = mark;
      return { tagName: "span", attribs };
    },
    // Pictures become their alt text: a page must not request foreign addresses.
    img: (_tag, attributes) => ({
      tagName: "span",
      attribs: { class: "alt", title: attributes["alt"] ?? attributes["title"] ?? "" },
    }),
  },
};

/**
 * Foreign HTML made safe for a page of ours, by a small allowlist: `p br a div blockquote ul ol li code pre em strong
 * b i u del` and nothing else, no class, no style; links http(s) only, to an absolute address without credentials.
 * Headings become bold lines. Mastodon's shortened links stay short: their `invisible` parts are left out, their
 * `ellipsis` part is followed by `…`, as Mastodon's own style sheet shows them. Idempotent.
 *
 * @param html untrusted HTML of any size; callers cap it first
 */
export function sanitiseContent(html: string): string {
  const text = cleanText(html);
  // Names and many profile fields are plain text; the parser costs a quarter of a millisecond.
  if (!/[<&]/.test(text)) return text.replaceAll(">", "&gt;");
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
