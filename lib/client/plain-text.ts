const entities: Record<string, string> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
  amp: "&",
};

/** Text of sanitised HTML, whose tags are well formed. The result must not be used as HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<br[^>]*>/gi, "\n")
    .replace(/<\/(p|div|li|blockquote|pre|h\d)>\s*(?=<)/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#39|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}
