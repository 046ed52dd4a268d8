import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db.ts";
import { parseCsv } from "#lib/http/csv.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

/* No export, found in the folder of routes, has a cell that a spreadsheet would run as a formula. */

const API = path.resolve("app/api/v1");
const exports = readdirSync(API, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`.csv${path.sep}route.ts`))
  .map((file) => [file.split(path.sep).slice(0, -1).join("/"), path.join(API, file)] as const);

/** Start of a formula: signs, their full-width forms, and white space. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const EVIL = ["=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"];

let key = "";
beforeAll(async () => {
  key = await makeKey();
  for (const [n, text] of EVIL.entries()) {
    await db.blocked_user.create({
      data: { account_identifier: `@evil${n}@a.example`, pattern_type: "exact", notes: text },
    });
  }
});

it("finds the exports", () => {
  expect(exports.map(([name]) => name).sort()).toEqual(["reblog-controls/blocked-users.csv"]);
});

describe.each(exports)("%s", (name, file) => {
  it("contains the data and no formulas", async () => {
    const { GET } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { GET: RouteHandler };
    const answer = await call(GET, { path: `/api/v1/${name}`, key });
    expect(answer.status).toBe(200);
    const cells = parseCsv(answer.text).flatMap((record) => record.cells);
    expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
    for (const text of EVIL) {
      expect(cells, JSON.stringify(text)).toContain(`'${text}`.replace(/\r/g, "\n"));
    }
  });
});
