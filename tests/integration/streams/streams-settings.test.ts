import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { PATCH } from "#app/api/v1/streams/[id]/route.ts";
import { POST } from "#app/api/v1/streams/route.ts";
import { db } from "#lib/base/db.ts";
import {
  settingNames,
  streamDefaults,
  type Stream,
  type StreamSettings,
} from "#lib/collect/stream-schema.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Checks each setting of lib/collect/stream-schema.ts in all places derived from it. */

const examples: Omit<StreamSettings, "hashtag"> = {
  instance: "pixelfed.example",
  active: false,
  enable_scheduling: false,
  fetch_interval_minutes: 45,
  consent_policy: "opt-in",
  require_media: true,
  drop_replies: true,
  languages: ["de", "en"],
};
const defaults: Partial<StreamSettings> = streamDefaults;

let key: string;
beforeAll(async () => {
  key = await makeKey();
});

const path = "/api/v1/streams";
const freshHashtag = () => `tag${randomUUID().replaceAll("-", "")}x`;
const create = async (body: object) => call<Stream>(POST, { method: "POST", path, key, body });
const change = (id: number, body: object) =>
  call<Stream>(PATCH, { method: "PATCH", path: `${path}/${id}`, params: { id: String(id) }, key, body });
const example = (name: (typeof settingNames)[number]) =>
  name === "hashtag" ? freshHashtag() : examples[name];

it.each(settingNames)(
  "the setting %s has its default, is set, changed and logged, and refuses null",
  async (name) => {
    const value = example(name);
    const set = await create({ hashtag: freshHashtag(), [name]: value });
    expect([set.status, set.json[name]]).toEqual([201, value]);

    const { json: before } = await create({ hashtag: freshHashtag() });
    const row = () => db.stream.findUniqueOrThrow({ where: { id: before.id } });
    expect([before[name], (await row())[name]]).toEqual([defaults[name] ?? before[name], before[name]]);
    const next = example(name);
    const { status, json: after } = await change(before.id, { [name]: next });
    expect([status, after[name]]).toEqual([200, next]);
    const line = await db.audit_event.findFirstOrThrow({
      where: { action: "stream.update" },
      orderBy: { id: "desc" },
    });
    expect([line.before, line.after]).toEqual([{ [name]: before[name] }, { [name]: next }]);

    const refused = await change(before.id, { [name]: null });
    expect([refused.status, refused.json]).toMatchObject([422, { errors: [{ path: name }] }]);
    expect((await row())[name]).toEqual(next);
  },
);

it("a row without settings gets the same defaults from the database", async () => {
  const [row] = await db.$queryRaw<Record<string, unknown>[]>`
    INSERT INTO stream (hashtag, hashtag_folded, instance) VALUES ('bare', 'bare', 'bare.example') RETURNING *`;
  expect(row).toMatchObject(defaults);
});
