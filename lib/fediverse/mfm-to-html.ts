import type { Budget } from "./budget.ts";

/** Longer text is shown as plain text. Misskey's notes have at most 3000 characters, those of its forks more. */
const MAX_LENGTH = 10_000;
/** Most characters of a note with its author's profile. Hostile markup takes up to 10 µs a character. */
export const MAX_NOTE_LENGTH = 20_000;
const MAX_DEPTH = 12;

export interface MfmContext {
  /** Origin of the author's server, for hashtags and local mentions. */
  origin: string;
  budget?: Budget;
}

const INLINE = new RegExp(
  [
    /`(?<code>[^`\n]{1,1000})`/u,
    /\*\*(?<bold>[^\0]{1,2000}?)\*\*/u,
    /__(?<bold>[^_\n]{1,2000}?)__/u,
    /~~(?<del>[^~\n]{1,2000}?)~~/u,
    /(?<![\p{L}\p{N}])\*(?<em>(?!\s)[^*\n]{1,1000}?)(?<!\s)\*(?![\p{L}\p{N}])/u,
    /(?<![\p{L}\p{N}_])_(?<em>(?!\s)[^_\n]{1,1000}?)(?<!\s)_(?![\p{L}\p{N}_])/u,
    /<(?<tag>b|i|s|small|center|plain)>(?<tagText>[^\0]{0,2000}?)<\/\k<tag>>/u,
    /\??\[(?<label>[^[\]\n]{1,300})\]\((?<linkUrl>https?:\/\/[^\s()<>]{1,2000})\)/u,
    /<(?<url>https?:\/\/[^\s<>]{1,2000})>/u,
    /(?<url>https?:\/\/[^\s<>"'`「」（）]{1,2000})/u,
    /(?<![\p{L}\p{N}/@])@(?<user>[\w-]{1,100})(?:@(?<userHost>[\p{L}\p{N}][\p{L}\p{N}.-]{0,249}[\p{L}\p{N}](?::\d{1,5})?))?/u,
    /(?<![\p{L}\p{N}&/])#(?!\d+(?![^\s.,!?'"#:/[\]【】()「」（）<>]))(?<hashtag>[^\s.,!?'"#:/[\]【】()「」（）<>]{1,128})/u,
    /\\\((?<math>[^\n]{1,1000}?)\\\)/u,
  ]
    .map((part) => part.source)
    .join("|"),
  "gu",
);

/** Renders MFM. The caller sanitises the result; see docs/decisions/0023-own-mfm-renderer.md. */
export function mfmToHtml(text: string, context: MfmContext): string {
  const budget = context.budget ?? { left: MAX_LENGTH };
  budget.left -= text.length;
  if (text.length > MAX_LENGTH || budget.left < 0) return lines(escapeText(text));
  const blocks: string[] = [];
  // Code blocks come first, because they contain no markup.
  for (const { code, part } of splitCode(text)) {
    if (code) blocks.push(`<pre><code>${escapeText(part)}</code></pre>`);
    else blocks.push(...quotesAndText(withoutDecorations(part), context));
  }
  return blocks.join("");
}

/** Splits at code blocks between lines of three backticks, in linear time. */
function splitCode(text: string): { code: boolean; part: string }[] {
  const parts: { code: boolean; part: string }[] = [];
  const openings = /^```[^\n`]*\n/gm;
  const closings = /\n```$/gm;
  let end = 0;
  for (let opening = openings.exec(text); opening !== null; opening = openings.exec(text)) {
    closings.lastIndex = openings.lastIndex;
    const closing = closings.exec(text);
    if (closing === null) break;
    parts.push({ code: false, part: text.slice(end, opening.index) });
    parts.push({ code: true, part: text.slice(openings.lastIndex, closing.index) });
    end = openings.lastIndex = closings.lastIndex;
  }
  return [...parts, { code: false, part: text.slice(end) }];
}

const DECORATION = /\$\[[a-z0-9_]{1,20}(?:\.[a-z0-9_=,.-]{0,100})? ([^[\]]{0,2000})\]/g;

/** Keeps the text of `$[shake text]` and other decorations, innermost first. */
function withoutDecorations(text: string): string {
  let plain = text;
  for (let depth = 0; depth < MAX_DEPTH && plain.includes("$["); depth++)
    plain = plain.replace(DECORATION, "$1");
  return plain;
}

function quotesAndText(text: string, context: MfmContext): string[] {
  const blocks: { quote: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const quote = line.startsWith(">");
    const last = blocks.at(-1);
    const content = quote ? line.replace(/^> ?/, "") : line;
    if (last?.quote === quote) last.lines.push(content);
    else blocks.push({ quote, lines: [content] });
  }
  return blocks.flatMap((block) => {
    const html = lines(inline(block.lines.join("\n").replace(/^\n+|\n+$/g, ""), context, 0));
    if (html.trim() === "") return [];
    return [block.quote ? `<blockquote>${html}</blockquote>` : `<p>${html}</p>`];
  });
}

function inline(text: string, context: MfmContext, depth: number): string {
  if (depth > MAX_DEPTH) return escapeText(text);
  let html = "";
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    html +=
      escapeText(text.slice(end, match.index)) + render(match[0], match.groups ?? {}, context, depth + 1);
    end = match.index + match[0].length;
  }
  return html + escapeText(text.slice(end));
}

function render(
  whole: string,
  groups: Record<string, string | undefined>,
  context: MfmContext,
  depth: number,
): string {
  const inner = (part: string) => inline(part, context, depth);
  const { code, bold, em, del, tag, tagText = "", label, linkUrl, url } = groups;
  const { user, userHost, hashtag, math } = groups;
  if (code !== undefined) return `<code>${escapeText(code)}</code>`;
  if (bold !== undefined) return `<strong>${inner(bold)}</strong>`;
  if (em !== undefined) return `<em>${inner(em)}</em>`;
  if (del !== undefined) return `<del>${inner(del)}</del>`;
  if (tag === "plain") return escapeText(tagText);
  if (tag === "b" || tag === "i") return `<${tag}>${inner(tagText)}</${tag}>`;
  if (tag === "s") return `<del>${inner(tagText)}</del>`;
  if (tag !== undefined) return inner(tagText);
  if (label !== undefined && linkUrl !== undefined) return link(linkUrl, escapeText(label));
  if (url !== undefined) return bareLink(url);
  if (user !== undefined) {
    const account = userHost === undefined ? user : `${user}@${userHost}`;
    return link(`${context.origin}/@${encodeURI(account)}`, `@${escapeText(account)}`);
  }
  if (hashtag !== undefined) {
    return link(`${context.origin}/tags/${encodeURIComponent(hashtag)}`, `#${escapeText(hashtag)}`);
  }
  return escapeText(math ?? whole);
}

/** An address in plain text, without trailing punctuation and an unmatched closing bracket. */
function bareLink(url: string): string {
  let address = url.replace(/[.,:;!?]+$/, "");
  if (address.endsWith(")") && !address.includes("(")) address = address.slice(0, -1);
  return link(address, escapeText(address)) + escapeText(url.slice(address.length));
}

function link(href: string, html: string): string {
  return `<a href="${escapeText(href)}">${html}</a>`;
}

function lines(html: string): string {
  return html.replaceAll("\n", "<br>");
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
