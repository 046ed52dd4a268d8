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
        for (const each of record?.cells ?? []) expect(each).not.toMatch(/^[=+\-@\t\r]/);
        expect(record?.cells.map((each) => readCsvCell(each))).toEqual(written);
      }),
    );
  });
});
