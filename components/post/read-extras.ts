/* The extras that lib/fediverse stores. Foreign data must not break the page. */

export type Json = Record<string, unknown>;

/** http(s) only, never a script address. */
export function webAddress(value: unknown): string | null {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null;
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
