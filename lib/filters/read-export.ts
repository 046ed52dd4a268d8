import type { CsvRecord } from "./parse-csv.ts";

/**
 * One list of the file that `GET /export` answers, as records with these cells; null when the text is no such file.
 * Entries are counted where lines would be.
 */
export function readExport(text: string, list: string, cells: readonly string[]): CsvRecord[] | null {
  if (!text.trimStart().startsWith("{")) return null;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  const { format, [list]: entries } = file as Record<string, unknown>;
  if (format !== "sluice-export") return null;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: unknown, index) => ({
    line: index + 1,
    cells: cells.map((name) => {
      const value = (entry as Record<string, unknown> | null)?.[name];
      return typeof value === "string" ? value : "";
    }),
  }));
}
