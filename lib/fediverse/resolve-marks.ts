interface Open {
  name: string;
  close: string;
  /** Length of the output before its content. */
  start: number;
  mark: string;
}

const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+/g;
const NESTS_DIFFERENTLY = /^(?:p|div|ul|ol|li|blockquote|pre|a|h[1-6])$/;
const EMPTY_LINK = /<a [^>]*>(\s*)<\/a>/g;

/**
 * Replaces marked spans and headings by markup without classes. Requires the output of `sanitize-html`:
 * closed tags, quoted attributes, escaped `<` and `>`.
 *
 * @returns `settled` false when a removed span left one block directly in another
 */
export function resolveMarks(html: string): { html: string; settled: boolean } {
  let out = "";
  let settled = true;
  const stack: Open[] = [];
  const insideLink = () => stack.some((open) => open.name === "a" && open.close !== "");

  for (const [token, slash, name, attributes = ""] of html.matchAll(TOKEN)) {
    if (name === undefined) {
      out += token;
    } else if (slash === "/") {
      const open = stack.at(-1)?.name === name ? stack.pop() : undefined;
      if (open) out = end(open, out);
    } else if (attributes.endsWith("/")) {
      out += token;
    } else {
      if (NESTS_DIFFERENTLY.test(name) && stack.some((open) => /^(?:span|h[1-6])$/.test(open.name)))
        settled = false;
      const [before, after, mark] = begin(name, attributes, token, insideLink());
      out += before;
      stack.push({ name, close: after, start: out.length, mark });
    }
  }
  while (stack.length > 0) {
    const open = stack.pop();
    if (open) out = end(open, out);
  }
  return { html: out.replace(EMPTY_LINK, "$1"), settled };
}

function begin(
  name: string,
  attributes: string,
  token: string,
  insideLink: boolean,
): [string, string, string] {
  if (name === "span") {
    const mark = /class="([a-z-]+)"/.exec(attributes)?.[1] ?? "";
    // Otherwise only the reviewer would not see it.
    return mark === "invisible" && !insideLink
      ? ["", "", ""]
      : [mark === "alt" ? altText(attributes) : "", "", mark];
  }
  if (/^h[1-6]$/.test(name)) return ["<div><strong>", "</strong></div>", ""];
  // Browsers would end the outer link early.
  if (name === "a" && insideLink) return ["", "", ""];
  return [token, `</${name}>`, ""];
}

function end(open: Open, out: string): string {
  if (open.mark === "invisible" || open.mark === "quote-inline") return out.slice(0, open.start);
  if (open.mark === "ellipsis" && out.length > open.start && !out.endsWith("…")) return `${out}…`;
  return out + open.close;
}

/** Quotes need no escape in text. */
function altText(attributes: string): string {
  return (/title="([^"]*)"/.exec(attributes)?.[1] ?? "").replaceAll("&quot;", '"');
}
