import { storableText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";

/* Servers that know no quotes show them as a line "RE: <link>" at the end of the text. It is no text of the author. */

/** The quote of such a line, which is marked by its class. */
export function inlineQuote(content: string) {
  const at = content.indexOf("quote-inline");
  const address = at === -1 ? undefined : /\bhref="([^"]*)"/.exec(content.slice(at))?.[1];
  const uri = addressIn(address ?? "");
  if (uri === null) return null;
  return { state: "accepted", status: { uri, url: null, account: null, content: "", tags: null } };
}

const addressIn = (href: string) => parseWebUrl(storableText(href.replaceAll("&amp;", "&")))?.href ?? null;

const QUOTE_LINE = /\b(?:RE|QT|QP|RN):\s*$/i;

/** Removes the quote line, also without its class, which some servers drop. */
export function withoutQuoteLine(html: string, quote: Record<"uri" | "url", string | null> | null): string {
  const start = quote === null ? -1 : html.lastIndexOf("<a ");
  const [whole, address = "", rest = ""] =
    /^<a href="([^"]*)"[^<]*<\/a>((?:<\/\w+>|\s)*)$/.exec(html.slice(start)) ?? [];
  if (start === -1 || whole === undefined || quote === null) return html;
  const before = html.slice(0, start);
  if (![quote.uri, quote.url].includes(addressIn(address)) || !QUOTE_LINE.test(before)) return html;
  return withoutEmptyEnd(before.replace(QUOTE_LINE, "") + rest);
}

/** Removes the blank lines and elements that the quote line leaves. */
function withoutEmptyEnd(html: string): string {
  for (let text = html; ;) {
    const shorter = text
      .trimEnd()
      .replace(/(?:<br ?\/?>|<(p|div|span)><\/\1>|<br ?\/?>(<\/(?:p|div|span)>))$/, "$2");
    if (shorter === text) return text;
    text = shorter;
  }
}
