export type QueryValue = string | number | boolean | null | undefined;

/** Adds a query to a path. Omits null, undefined and "". */
export function withQuery(path: string, query: Record<string, QueryValue>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** A number of up to nine digits, or null for any other text. */
export function wholeNumber(text: string | null): number | null {
  const digits = text?.trim() ?? "";
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}
