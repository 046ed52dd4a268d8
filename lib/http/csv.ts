import Papa from "papaparse";
import type { Reply } from "./reply.ts";
import { raw } from "./reply.ts";

/**
 * Text that a spreadsheet would run as a formula: `= + - @`, their full-width forms, and white space that some
 * programs skip. Includes leading apostrophes, so that reading a cell removes exactly one.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** One cell (RFC 4180). Texts are untrusted, so a formula gets a leading apostrophe. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function readCsvCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

export function csvLine(cells: (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

export interface CsvRecord {
  /** Line from 1; in the file of `GET /export`, the number of the entry. */
  line: number;
  cells: string[];
}

/** Skips empty records. Malformed quotes are no error. */
export function parseCsv(text: string): CsvRecord[] {
  let next = 1;
  return Papa.parse<string[]>(text.replace(/\r\n?/g, "\n"), { delimiter: ",", newline: "\n" })
    .data.map((cells) => {
      const line = next;
      next += cells.join("").split("\n").length;
      return { line, cells };
    })
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
}

/** Streams a CSV file, so that a long log is never in memory as a whole. */
export function csvReply(fileName: string, lines: AsyncGenerator<string, void>): Reply {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const line = await lines.next();
      if (line.done) controller.close();
      else controller.enqueue(encoder.encode(line.value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return raw(stream, "text/csv; charset=utf-8", {
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
}
