const entities: Record<string, string> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
  amp: "&",
};

/** The result must not be used as HTML. `html` is sanitised, so its tags are well formed. */
export function plainText(html: string): string {
  return html
    .replace(/<br[^>]*>/gi, "\n")
    .replace(/<\/(p|div|li|blockquote|pre|h\d)>\s*(?=<)/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#39|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}
