import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { ExportSettings, SwitchesChanged } from "#lib/blocking/schema.ts";
import { makeKey, makePending, picture } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";
import { reserveOne } from "./filters-queue.ts";

const path = "reblog-controls/settings";
let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});

const read = () => send<ExportSettings>(`GET ${path}`);
const write = (body: unknown) => send<ExportSettings>(`PUT ${path}`, body);
const lastAudit = () => db.audit_event.findFirst({ orderBy: { id: "desc" } });

describe("export settings", () => {
  test("are counted before a change", async () => {
    await write({ require_media: false });
    const make = async (missing: number, holds = 0) => {
      const { id } = await makePending();
      await db.queue_entry.update({ where: { post_id: id }, data: { missing, holds } });
    };
    for (const missing of [0, 1, 1, 2]) await make(missing);
    await make(1, 16);
    const put = async (on: boolean, query = "") =>
      (await send<SwitchesChanged>(`PUT ${path}${query}`, { require_media: on })).json;
    const counted = { held: 2, released: 0, rejected: 0, returned: 0 };
    expect(await put(true, "?dry_run=true")).toMatchObject({ require_media: true, ...counted });
    expect((await read()).json.require_media).toBe(false);
    expect(await put(true)).toMatchObject(counted);
    expect(await put(false, "?dry_run=true")).toMatchObject({ held: 0, released: 2 });
    await write({ require_media: false });
  });

  test("setting a switch keeps the others and is logged", async () => {
    const before = (await read()).json;
    const answer = await write({ require_alt_text: true, auto_reject_bots: false, colour: "ignored" });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      ...before,
      require_alt_text: true,
      updated_at: expect.any(String) as string,
    });
    expect(answer.json).toMatchObject((await read()).json);
    expect(await lastAudit()).toMatchObject({
      action: "settings.update",
      subject: "Switches",
      before: { require_alt_text: false },
      after: { require_alt_text: true },
    });
    const lines = await db.audit_event.count();
    expect((await write({ require_alt_text: true })).status).toBe(200);
    expect((await write({})).status).toBe(422);
    expect(await db.audit_event.count()).toBe(lines);
    await write({ require_alt_text: false });
  });

  test("a switch takes effect on the next reserve, and taken back leaves no trace", async () => {
    const bare = await makePending({}, new Date(1000));
    const described = await makePending({ media: [picture()] }, new Date(3000));
    const undescribed = await makePending({ media: [picture(null)] }, new Date(2000));
    const bot = await makePending({ media: [picture()], author_is_bot: true }, new Date(2500));
    const versions = () => db.$queryRaw`SELECT post_id, holds FROM queue_entry ORDER BY post_id`;
    const before = await versions();
    expect(await reserveOne(db)).toBe(bare.id);
    await write({ require_media: true });
    expect(await reserveOne(db)).toBe(undescribed.id);
    await write({ require_alt_text: true });
    expect(await reserveOne(db)).toBe(bot.id);
    await write({ auto_reject_bots: true });
    expect(await reserveOne(db)).toBe(described.id);
    await write({ require_media: false, require_alt_text: false, auto_reject_bots: false });
    expect(await versions()).toEqual(before);
  });
});
