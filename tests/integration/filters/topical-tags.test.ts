import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { weekdays, type TopicalTag } from "#lib/queue/topical-schema.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";

let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE topical_tag, blocked_user, hold_change, post, stream CASCADE`;
});

const add = (body: unknown) => send<TopicalTag>("POST topical-tags", body);
const list = () => send<TopicalTag[]>("GET topical-tags");
const change = (id: number, body: unknown) => send<TopicalTag>(`PATCH topical-tags/${id}`, body);
const remove = (id: number) => send(`DELETE topical-tags/${id}`);
const lastAudit = () => db.audit_event.findFirst({ orderBy: { id: "desc" } });

describe("creating", () => {
  test("a rule is returned and listed", async () => {
    const answer = await add({ hashtag: "#Caturday", topical_day_of_week: "Saturday" });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.any(Number) as number,
      hashtag: "Caturday",
      topical_day_of_week: "Saturday",
      topical_month_day: null,
      created_at: expect.stringMatching(/Z$/) as string,
    });
    expect((await list()).json).toEqual([answer.json]);
    expect(await lastAudit()).toMatchObject({
      action: "topical_tag.create",
      subject: "#Caturday",
      after: { topical_day_of_week: "Saturday", topical_month_day: null },
    });
  });

  test("weekdays have the numbers of the database", async () => {
    for (const name of weekdays) await add({ hashtag: `on${name}`, topical_day_of_week: name });
    const rows = await db.$queryRaw<{ named: string }[]>`
      SELECT to_char(date '2026-11-22' + day_of_week::int, 'FMDay') AS named FROM topical_tag ORDER BY id`;
    expect(rows.map(({ named }) => named)).toEqual(weekdays);
  });

  test("another spelling of a hashtag is a duplicate", async () => {
    await add({ hashtag: "Café", topical_month_day: "10-01" });
    expect(await add({ hashtag: "#ＣＡＦＥ", topical_day_of_week: "Monday" })).toMatchObject({
      status: 409,
      json: { detail: "A topical rule for #ＣＡＦＥ already exists" },
    });
    expect((await list()).json).toHaveLength(1);
  });
});

describe("changing", () => {
  test("changes only days; null removes one", async () => {
    const { json } = await add({ hashtag: "cats", topical_day_of_week: "Monday" });
    const both = await change(json.id, { topical_month_day: "08-08" });
    expect(both).toMatchObject({ status: 200, json: { ...json, topical_month_day: "08-08" } });
    const one = await change(json.id, { topical_day_of_week: null, hashtag: "dogs" });
    expect(one.json).toEqual({ ...json, topical_day_of_week: null, topical_month_day: "08-08" });
    expect((await list()).json).toEqual([one.json]);
    expect((await change(json.id, { topical_month_day: null })).status).toBe(422);
    expect(await lastAudit()).toMatchObject({
      action: "topical_tag.update",
      before: { topical_day_of_week: "Monday", topical_month_day: "08-08" },
      after: { topical_day_of_week: null, topical_month_day: "08-08" },
    });
  });
});

test("deleting, once", async () => {
  const { json } = await add({ hashtag: "cats", topical_day_of_week: "Monday" });
  expect(await remove(json.id)).toMatchObject({ status: 204, text: "" });
  expect((await remove(json.id)).status).toBe(404);
  expect((await list()).json).toEqual([]);
  expect(await lastAudit()).toMatchObject({ action: "topical_tag.delete", subject: "#cats" });
});
