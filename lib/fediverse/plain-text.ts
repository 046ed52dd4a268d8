const TOKEN = /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+/g;
const LINE_ENDS = new Set(["p", "br", "div", "blockquote", "ul", "ol", "li", "pre"]);
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * The text of sanitised HTML: one line a block or `<br>`, white space collapsed within a line (kept in `<pre>`),
 * no empty lines. Only the output of `sanitiseContent` may come in: there is nothing else but these four entities.
 */
export function plainTextOf(sanitisedHtml: string): string {
  let text = "";
  let preformatted = 0;
  for (const [token, slash, name] of sanitisedHtml.matchAll(TOKEN)) {
    if (name === undefined) {
      text += preformatted > 0 ? token : token.replace(/[ \t\r\n\f]+/g, " ");
      continue;
    }
    if (name === "pre") preformatted = Math.max(0, preformatted + (slash === "/" ? -1 : 1));
    if (LINE_ENDS.has(name)) text += "\n";
  }
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
