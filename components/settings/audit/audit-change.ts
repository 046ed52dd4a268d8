/** Longer values are truncated. The CSV has them in full. */
const LONGEST = 80;

/**
 * @param before null for a new object
 *
 * @param after null for a deleted object
 */
export function auditChange(
  before: unknown,
  after: unknown,
  arrow: (from: string, to: string) => string,
): string[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => {
    const [from, to] = [was[name], is[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const label = name === "" ? "" : `${name}: `;
    if (from === undefined || before === null) return empty(to) ? [] : [label + short(to)];
    if (to === undefined && after === null) return empty(from) ? [] : [label + short(from)];
    return [label + arrow(short(from), short(to))];
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  return typeof value === "object" && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { "": value };
}

function empty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function short(value: unknown): string {
  const text = empty(value) ? "–" : plain(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
