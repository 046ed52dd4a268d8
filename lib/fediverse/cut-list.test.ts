import fc from "fast-check";
import { expect, it } from "vitest";
import { readCutList } from "./cut-list.ts";

const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 6 });

it("property: reads each complete item, and only complete members of the one that was cut", () => {
  fc.assert(
    fc.property(objects, fc.double({ min: 0, max: 1, noNaN: true }), (list, part) => {
      const json = JSON.parse(JSON.stringify(list)) as Record<string, unknown>[];
      const text = Buffer.from(JSON.stringify(json));
      const { items, rest } = readCutList(text.subarray(0, Math.floor(text.length * part)));
      expect(items).toEqual(json.slice(0, items.length));
      for (const [name, value] of Object.entries(rest ?? {})) {
        expect(json[items.length]?.[name]).toEqual(value);
      }
    }),
    { numRuns: 500 },
  );
});

it("reads the members before the one that is cut", () => {
  const text = Buffer.from('[{"id":"1","a":[{"id":"x"}]},{"id":"2","b":{"id":"y"},"content":"a \\" b');
  expect(readCutList(text)).toEqual({
    items: [{ id: "1", a: [{ id: "x" }] }],
    rest: { id: "2", b: { id: "y" } },
  });
});

it.each(["", "[", "[{", '[{"id":"1"', "<!DOCTYPE html>", '{"statuses":[{"id":"1"},', "[[1,2],[3", "]]}}"])(
  "reads nothing of %j",
  (text) => {
    expect(readCutList(Buffer.from(text))).toEqual({ items: [], rest: null });
  },
);

it("is read in linear time", () => {
  const started = performance.now();
  readCutList(Buffer.from(`[{"id":"1","content":"${'\\"'.repeat(1_000_000)}`));
  expect(performance.now() - started).toBeLessThan(500);
});
