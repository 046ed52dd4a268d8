import { expect, test } from "vitest";
import { db } from "#lib/db.ts";
import { botTotals } from "#lib/stats/bot-totals.ts";
import { compactFigures } from "#lib/stats/stored-figures.ts";

test("the totals of a key count compacted and new facts of the last days", async () => {
  const facts = (event: string, n: number, daysAgo = 0, api_key_id = 7) => ({
    data: { event, n, api_key_id, at: new Date(Date.now() - daysAgo * 86_400_000) },
  });
  await db.figure_delta.create(facts("delivered", 2));
  await db.figure_delta.create(facts("delivered", 8, 31));
  await compactFigures(new Date(Date.now() + 10_000));
  await db.figure_delta.create(facts("delivered", 1, 28));
  await db.figure_delta.create(facts("errors", 4));
  await db.figure_delta.create(facts("errors", 16, 0, 8));
  expect(await botTotals(7, 30)).toEqual({ delivered: 3, errors: 4 });
});
