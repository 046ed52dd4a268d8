import { csvLine } from "#lib/http/csv.ts";
import { cellReaders, checkEntries, readTable, type ReadCell, type ReadTable } from "#lib/http/read-table.ts";
import { normaliseInstance } from "#lib/hosts/instance.ts";
import { readOpml } from "./opml.ts";
import { StreamCreate } from "./schema.ts";
import { settingNames, streamSettings, type StreamSettings } from "./settings-schema.ts";

/** All settings; items of a list are separated by spaces. */
export function writeStreamCsv(streams: readonly StreamSettings[]): string {
  const rows = streams.map((stream) =>
    csvLine(
      settingNames.map((name) => {
        const value = stream[name];
        return Array.isArray(value) ? value.join(" ") : value;
      }),
    ),
  );
  return [csvLine([...settingNames]), ...rows].join("");
}

const columns: Record<string, ReadCell> = Object.fromEntries(
  settingNames.map((name): [string, ReadCell] => {
    const { default: value } = streamSettings[name];
    if (Array.isArray(value)) return [name, cellReaders.words];
    if (typeof value === "boolean") return [name, cellReaders.flag];
    return [name, typeof value === "number" ? cellReaders.number : cellReaders.text];
  }),
);

/** Reads CSV, OPML, and the file of `GET /export`, with the rules of `POST /streams`. */
export function readStreamList(text: string): ReadTable<StreamCreate> {
  const list = text.trimStart().startsWith("<")
    ? readOutlines(text)
    : readTable(text, { list: "streams", columns, schema: StreamCreate });
  const read: ReadTable<StreamCreate> = { records: [], unreadable: [...list.unreadable] };
  for (const record of list.records) {
    const { instance } = record.value;
    const check = instance === undefined ? null : normaliseInstance(instance);
    if (check === null) read.records.push(record);
    else if (check.ok) read.records.push({ ...record, value: { ...record.value, instance: check.host } });
    else read.unreadable.push({ line: record.line, text: record.text, message: `instance: ${check.reason}` });
  }
  return read;
}

function readOutlines(text: string): ReadTable<StreamCreate> {
  const outlines = readOpml(text);
  if (outlines !== null) return checkEntries(outlines, StreamCreate);
  const first = text.trim().slice(0, 200);
  return { records: [], unreadable: [{ line: 1, text: first, message: "is not OPML" }] };
}
