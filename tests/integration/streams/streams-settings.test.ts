import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { PATCH, GET } from "#app/api/v1/streams/[id]/route.ts";
import { POST } from "#app/api/v1/streams/route.ts";
import { db } from "#lib/db.ts";
import { filterRules } from "#lib/ingest/stream-filters.ts";
import type { Stream } from "#lib/streams/schema.ts";
import { settingNames, streamSettings } from "#lib/streams/settings-schema.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Checks each setting of lib/streams/settings-schema.ts in all places derived from it. */

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
  name === "hashtag" ? freshHashtag() : streamSettings[name].example;

describe.each(settingNames)("the setting %s", (name) => {
  const { default: initial } = streamSettings[name];

  it("has its default in a new stream, in the API and in the database", async () => {
    const { json } = await create({ hashtag: freshHashtag() });
    const row = await db.stream.findUniqueOrThrow({ where: { id: json.id } });
    expect(json[name]).toEqual(row[name]);
    if (initial !== null) expect(json[name]).toEqual(initial);
  });

  it("can be set on creation", async () => {
    const value = example(name);
    const { status, json } = await create({ hashtag: freshHashtag(), [name]: value });
    expect([status, json[name]]).toEqual([201, value]);
    const shown = await call<Stream>(GET, {
      path: `${path}/${json.id}`,
      params: { id: String(json.id) },
      key,
    });
    expect(shown.json[name]).toEqual(value);
  });

  it("can be changed alone, and the audit log shows both values", async () => {
    const { json: before } = await create({ hashtag: freshHashtag() });
    const value = example(name);
    const { status, json: after } = await change(before.id, { [name]: value });
    expect([status, after[name]]).toEqual([200, value]);
    const line = await db.audit_event.findFirstOrThrow({
      where: { action: "stream.update" },
      orderBy: { id: "desc" },
    });
    expect([line.before, line.after]).toEqual([{ [name]: before[name] }, { [name]: value }]);
  });

  it("refuses null and leaves the stream as it is", async () => {
    const { json } = await create({ hashtag: freshHashtag() });
    const refused = await change(json.id, { [name]: null });
    expect([refused.status, refused.json]).toMatchObject([422, { errors: [{ path: name }] }]);
    expect(await db.stream.findUniqueOrThrow({ where: { id: json.id } })).toMatchObject({
      [name]: json[name],
    });
  });
});

it("a row without settings gets the same defaults from the database", async () => {
  const [row] = await db.$queryRaw<Record<string, unknown>[]>`
    INSERT INTO stream (hashtag, hashtag_folded, instance) VALUES ('bare', 'bare', 'bare.example') RETURNING *`;
  const defaults = settingNames.filter((name) => streamSettings[name].default !== null);
  expect(Object.fromEntries(defaults.map((name) => [name, row?.[name]]))).toEqual(
    Object.fromEntries(defaults.map((name) => [name, streamSettings[name].default])),
  );
});

it("has a rule for every filter, and no rule without a setting", () => {
  const filters = settingNames.filter((name) => streamSettings[name].use === "filter");
  expect(Object.keys(filterRules).toSorted()).toEqual(filters.toSorted());
});
