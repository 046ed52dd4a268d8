import { describe, expect, it } from "vitest";
import { auditChange } from "./audit-change.ts";

const change = (before: unknown, after: unknown) =>
  auditChange(before, after, (from, to) => `${from} → ${to}`);

describe("audit change text", () => {
  it.each([
    [{ role: "viewer" }, { role: "admin" }, ["role: viewer → admin"]],
    [{ active: true, languages: ["en"] }, { active: false, languages: ["en"] }, ["active: true → false"]],
    [null, { scopes: ["read", "consume"], stream_ids: [], expires_at: null }, ["scopes: read, consume"]],
    [{ id: 4 }, null, ["id: 4"]],
    [{ note: null }, { note: "x" }, ["note: – → x"]],
    [null, null, []],
    [3, 4, ["3 → 4"]],
    [{ a: { b: 1 } }, { a: { b: 2 } }, ['a: {"b":1} → {"b":2}']],
  ])("%j, %j", (before, after, expected) => expect(change(before, after)).toEqual(expected));

  it("truncates long values", () => {
    const [line = ""] = change(null, { note: "x".repeat(500) });
    expect(line).toBe(`note: ${"x".repeat(79)}…`);
  });
});
