import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine, parseCsv, readCsvCell } from "./csv.ts";

test.each([
  ["plain", "plain"],
  ['say "hi", you', '"say ""hi"", you"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", '"\'=1+1"'],
  ["+49", '"\'+49"'],
  ["-1", '"\'-1"'],
  ["@SUM(A1)", '"\'@SUM(A1)"'],
  ["\t=1", '"\'\t=1"'],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["＝1", '"\'＝1"'],
  ["'=1", "\"''=1\""],
  ["'tis", "'tis"],
  [null, ""],
  [7, "7"],
  [-7, '"\'-7"'],
  [true, "true"],
])("encodes %j as %j", (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test("a line has all its cells, and none begins with a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (cells) => {
      const line = csvLine(cells);
      expect(line.endsWith("\r\n")).toBe(true);
      const texts = readCells(line.slice(0, -2));
      expect(texts).toHaveLength(cells.length);
      for (const text of texts) expect(text).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

test("readCsvCell reverses csvLine", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^'{0,2}[=+@-]?[a-z]?$/));
  fc.assert(
    fc.property(texts, (text) => {
      const [cell = ""] = readCells(csvLine([text]).slice(0, -2));
      expect(readCsvCell(cell)).toBe(text);
    }),
  );
});

function readCells(line: string): string[] {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const cell = quoted ?? /^[^",]*/.exec(rest);
    cells.push(quoted ? (quoted[1] ?? "").replace(/""/g, '"') : (cell?.[0] ?? ""));
    rest = rest.slice(cell?.[0].length ?? 0);
    if (rest === "") return cells;
    expect(rest[0]).toBe(",");
    rest = rest.slice(1);
  }
}

describe("parseCsv", () => {
  test("keeps a quote inside an unquoted cell", () => {
    expect(parseCsv('5" disks,"a"\nb').map((record) => record.cells)).toEqual([['5" disks', "a"], ["b"]]);
  });

  test("reads commas, quotes and line breaks in quoted cells, and counts lines", () => {
    expect(parseCsv('\uFEFFa,"b, ""c""\r\nd"\r\n\r\n e ,\n"f"')).toEqual([
      { line: 1, cells: ["a", 'b, "c"\nd'] },
      { line: 4, cells: [" e ", ""] },
      { line: 5, cells: ["f"] },
    ]);
  });

  test("reads files of the CSV writer without change", () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab@=+-,\"\n' "), minLength: 1, maxLength: 8 });
    const cells = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cells, (written) => {
        fc.pre(written.some((each) => each.trim() !== ""));
        const [record] = parseCsv(csvLine(written));
        expect(record?.cells.map((each) => readCsvCell(each))).toEqual(written);
      }),
    );
  });
});
