import type { Reply } from "./reply.ts";
import { raw } from "./reply.ts";

/**
 * One cell (RFC 4180). A spreadsheet would run a cell that begins with `= + - @`, tab or carriage return as a
 * formula, and these texts come from strangers: an apostrophe in front keeps it a text. One
 * that stood there already gets another, so that reading can take exactly one off.
 */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
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
