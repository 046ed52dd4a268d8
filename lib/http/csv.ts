import type { Reply } from "./reply.ts";
import { raw } from "./reply.ts";

/**
 * What a spreadsheet would run as a formula: `= + - @`, also in their wide forms, and the white space that some pass
 * over before them. Apostrophes before it are counted in, so that reading a cell back takes off exactly one.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** One cell (RFC 4180). These texts come from strangers: an apostrophe in front keeps a formula a text. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** What a cell held before `csvCell` put an apostrophe in front. */
export function readCsvCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** One line, its end included. */
export function csvLine(cells: (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Answers a CSV file as it is read, page by page, so that a long log needs no memory. */
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
