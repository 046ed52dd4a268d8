import type { Reply } from "./reply.ts";
import { raw } from "./reply.ts";

/**
 * Start of a text that a spreadsheet would run as a formula: `= + - @`, their full-width forms, and white space that some
 * programs skip. Leading apostrophes are included, so that reading a cell removes exactly one.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** One cell (RFC 4180). The texts are untrusted, so a formula gets an apostrophe in front and stays a text. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** The text of a cell without the apostrophe of `csvCell`. */
export function readCsvCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** One line with its line break. */
export function csvLine(cells: (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Streams a CSV file page by page, so that a long log is never in memory as a whole. */
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
