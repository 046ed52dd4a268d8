import type { z } from "zod";
import { type CsvRecord, parseCsv, readCsvCell } from "./csv.ts";
import { sentenceOf } from "./sentence-of.ts";

export interface UnreadableLine {
  /** From 1; in the file of `GET /export`, the number of the entry. */
  line: number;
  text: string;
  message: string;
}

export interface ReadTable<Value> {
  records: { line: number; text: string; value: Value }[];
  unreadable: UnreadableLine[];
}

export type ReadCell = (cell: string) => unknown;

export const cellReaders = {
  text: (cell: string) => cell,
  /** Any other text reaches the schema, which names it. */
  flag: (cell: string) => ({ true: true, false: false })[cell.toLowerCase()] ?? cell,
  number: (cell: string) => (/^\d+$/.test(cell) ? Number(cell) : cell),
  words: (cell: string) => cell.split(/\s+/).filter(Boolean),
} satisfies Record<string, ReadCell>;

interface Format<T extends z.ZodType> {
  /** Name of the list in the file of `GET /export`. */
  list: string;
  /** Reader of a cell that is not empty, by column. */
  columns: Readonly<Record<string, ReadCell>>;
  schema: T;
}

/**
 * Reads CSV with a header, columns in any order, or one list of the file of `GET /export`. An empty cell is an absent
 * field.
 */
export function readTable<T extends z.ZodType>(text: string, format: Format<T>): ReadTable<z.output<T>> {
  if (text.trimStart().startsWith("{")) return readEntries(text, format);
  const [head, ...records] = parseCsv(text);
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const unknown = names.find((name) => !Object.hasOwn(format.columns, name));
  const known = Object.keys(format.columns).join(", ");
  if (head === undefined) return refused({ line: 1, cells: [] }, `must be a header with columns of ${known}`);
  if (unknown !== undefined) return refused(head, `has the column "${unknown}", which is none of ${known}`);
  return checkEntries(
    records.map((record) => ({
      line: record.line,
      text: textOf(record),
      value: Object.fromEntries(
        names.flatMap((name, index) => {
          const cell = readCsvCell((record.cells[index] ?? "").trim());
          return cell === "" ? [] : [[name, format.columns[name]?.(cell)]];
        }),
      ),
    })),
    format.schema,
  );
}

/** @param entries of a file, each with its line */
export function checkEntries<T extends z.ZodType>(
  entries: { line: number; text: string; value: unknown }[],
  schema: T,
): ReadTable<z.output<T>> {
  const read: ReadTable<z.output<T>> = { records: [], unreadable: [] };
  for (const { line, text, value } of entries) {
    const result = schema.safeParse(value, { error: sentenceOf });
    if (result.success) read.records.push({ line, text, value: result.data });
    else {
      const messages = result.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`.trim());
      read.unreadable.push({ line, text, message: messages.join("; ") });
    }
  }
  return read;
}

function readEntries<T extends z.ZodType>(text: string, { list, schema }: Format<T>): ReadTable<z.output<T>> {
  const whole: CsvRecord = { line: 1, cells: [text.trim()] };
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return refused(whole, "is not JSON");
  }
  const { format, [list]: entries } = file as Record<string, unknown>;
  if (format !== "sluice-export" || !Array.isArray(entries))
    return refused(whole, `is not a file of GET /export with ${list}`);
  return checkEntries(
    entries.map((value: unknown, index) => ({
      line: index + 1,
      text: shortened(JSON.stringify(value)),
      value,
    })),
    schema,
  );
}

function refused(record: CsvRecord, message: string): ReadTable<never> {
  return { records: [], unreadable: [{ line: record.line, text: textOf(record), message }] };
}

const textOf = ({ cells }: CsvRecord) => shortened(cells.join(","));
const shortened = (text: string) => text.trim().slice(0, 200);
