import { csvLine } from "#lib/http/csv.ts";
import { cellReaders, readTable, type ReadTable } from "#lib/http/read-table.ts";
import { TopicalTagCreate, type TopicalTag } from "./schema.ts";

const columns = {
  hashtag: cellReaders.text,
  topical_day_of_week: cellReaders.text,
  topical_month_day: cellReaders.text,
};

export function writeTopicalCsv(tags: readonly TopicalTag[]): string {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  return [csvLine(names), ...tags.map((tag) => csvLine(names.map((name) => tag[name])))].join("");
}

/** Reads CSV, and the file of `GET /export`, with the rules of `POST /topical-tags`. */
export function readTopicalList(text: string): ReadTable<TopicalTagCreate> {
  return readTable(text, { list: "topical_tags", columns, schema: TopicalTagCreate });
}
