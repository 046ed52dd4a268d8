import { describe, expect, it } from "vitest";
import { databaseAway, isCanceled, isDatabaseAway, isLockConflict, isTransactionLate } from "./errors.ts";

/** A database error from Prisma's query API, raw SQL and the driver. */
const wrapped = (code: string) => [
  { code },
  { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: code } } } },
  { cause: { originalCode: code } },
];

describe("classification of database errors", () => {
  it.each([
    ["a lock conflict", ["40P01", "40001"], [true, false, false]],
    ["a database that is away", ["57P01", "53300", "08006", "ECONNREFUSED", "P1001"], [false, true, false]],
    ["a time limit that ended the statement", ["57014", "55P03", "25P03", "25P04"], [false, false, true]],
  ])("recognises %s in every wrapping", (_what, codes, expected) => {
    for (const error of codes.flatMap(wrapped))
      expect([error, [isLockConflict(error), isDatabaseAway(error), isCanceled(error)]]).toEqual([
        error,
        expected,
      ]);
  });

  it("recognises Prisma's codes for lock conflicts and late transactions", () => {
    expect(isLockConflict({ code: "P2034" })).toBe(true);
    expect(isLockConflict({ cause: { kind: "TransactionWriteConflict" } })).toBe(true);
    expect(isTransactionLate({ code: "P2028" })).toBe(true);
  });

  it("a pooler's own error means that the database is away, and PostgreSQL's with the same code does not", () => {
    const ofPooler = { severity: "FATAL", message: "server login has been failing" };
    const ofPostgres = { severity: "ERROR", message: "bind message supplies 1 parameters" };
    const away = (fields: object) =>
      wrapped("08P01").map((error) => {
        // Prisma puts the severity beside the code.
        const text = JSON.stringify(error).replace(/"(code|originalCode)":"08P01"/, (whole) =>
          [whole, JSON.stringify(fields).slice(1, -1)].join(","),
        );
        return isDatabaseAway(JSON.parse(text));
      });
    expect(away(ofPooler)).toEqual([true, true, true]);
    expect(away(ofPostgres)).toEqual([false, false, false]);
  });

  it.each([
    ["is away", "database_away", ["57P01", "53300", "08006", "ECONNREFUSED", "P1001"]],
    ["cannot write", "database_unwritable", ["53100", "58030", "25006"]],
  ])("answers that the database %s", (_what, code, codes) => {
    for (const error of codes.flatMap(wrapped))
      expect(databaseAway(error)).toMatchObject({ code, headers: { "Retry-After": "5" } });
  });

  it.each([
    ["a duplicate", { code: "P2002" }],
    ["one in SQL", { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "23505" } } } }],
    ["a fault of ours", new TypeError("x is not a function")],
    ["nothing", null],
    ["a text", "40P01"],
  ])("%s is neither a lock conflict nor an outage", (_case, error) => {
    for (const is of [isLockConflict, isDatabaseAway, isTransactionLate]) expect(is(error)).toBe(false);
  });

  it("terminates for an error that is its own cause", () => {
    const error: { cause?: unknown } = {};
    error.cause = error;
    expect([isLockConflict(error), isDatabaseAway(error)]).toEqual([false, false]);
  });
});
