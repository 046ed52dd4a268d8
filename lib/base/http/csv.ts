import Papa from "papaparse";
import type { Reply } from "./reply.ts";
import { raw } from "./reply.ts";

/**
 * Text that a spreadsheet would run as a formula: `= + - @`, their full-width forms, and white space that some
 * programs skip. Includes leading apostrophes, so that reading a cell removes exactly one.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Removes the apostrophe that `csvLine` puts before a formula. */
export function readCsvCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** A line of RFC 4180 with its line break. A formula gets a leading apostrophe, because texts are untrusted. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  const texts = cells.map((cell) => String(cell ?? ""));
  return `${Papa.unparse([texts], { escapeFormulae: FORMULA })}\r\n`;
}

export interface CsvRecord {
  /** Line number in the text, from 1. */
  line: number;
  cells: string[];
}

/** The first comma, semicolon or tab outside quotes: spreadsheets choose by language. */
function delimiterOf(text: string): string {
  return /[,;\t]/.exec(text.replace(/"(?:[^"]|"")*"/g, ""))?.[0] ?? ",";
}

/** Records of a CSV text. Skips empty records and a byte order mark. Malformed quotes are no error. */
export function parseCsv(text: string): CsvRecord[] {
  let next = 1;
  return Papa.parse<string[]>(text.replace(/\r\n?/g, "\n"), { delimiter: delimiterOf(text), newline: "\n" })
    .data.map((cells) => {
      const line = next;
      next += cells.join("").split("\n").length;
      return { line, cells };
    })
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
}

/** A download. Begins with a byte order mark, without which spreadsheets do not read UTF-8. */
export function csvReply(fileName: string, lines: string): Reply {
  return raw(`\ufeff${lines}`, "text/csv; charset=utf-8", {
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
}
