import { describe, expect, it } from "vitest";
import { POST as generate } from "#app/api/v1/api-keys/generate/route.ts";
import { POST as revoke } from "#app/api/v1/api-keys/revoke/route.ts";
import { GET as status } from "#app/api/v1/api-keys/status/route.ts";
import { hashKey } from "#lib/accounts/api-key.ts";
import type { GeneratedKey, KeyStatus } from "#lib/accounts/key-schema.ts";
import { db } from "#lib/base/db.ts";
import { roleGrants, roles } from "#lib/base/http/permissions.ts";
import { next } from "#tests/integration/queue/moves.ts";
import { makeKey, makeMember, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { ask, signedIn, type Failure, type Who } from "./member-calls.ts";

const make = <Body = GeneratedKey>(who: Who, body?: unknown) =>
  ask<Body>(generate, who, "POST", "/api/v1/api-keys/generate", body);
const drop = <Body = { revoked: number; api_key_set: boolean }>(who: Who, body?: unknown) =>
  ask<Body>(revoke, who, "POST", "/api/v1/api-keys/revoke", body);
const list = (who: Who) => ask<KeyStatus>(status, who, "GET", "/api/v1/api-keys/status");

it.each(roles)("lets a key of a %s consume as its role does", async (role) => {
  const key = await makeKey({ scopes: ["consume"], created_by: (await makeMember(role)).id });
  const [caller] = await db.$queryRaw<
    { verdict: string }[]
  >`SELECT verdict FROM queue_identify(${hashKey(key)}::bytea, NULL, NULL)`;
  expect(caller?.verdict).toBe(roleGrants(role, "consume") ? "ok" : "forbidden");
});

describe("generate", () => {
  it("shows the key once, stores its hash only, and the key works", async () => {
    const { member, headers } = await signedIn("admin");
    const answer = await make({ headers });
    expect(answer.status).toBe(201);
    const { api_key: key, ...shown } = answer.json;
    expect(key).toMatch(/^slc_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: "API key",
      prefix: "slc_",
      last_characters: key.slice(-4),
      scopes: ["read", "consume", "review", "manage"],
      stream_ids: [],
      created_by: member.name,
      expires_at: null,
      last_used_at: null,
      last_asked_at: null,
    });
    const row = await db.api_key.findUniqueOrThrow({ where: { id: shown.id } });
    expect(Buffer.from(row.key_hash).equals(Buffer.from(hashKey(key)))).toBe(true);
    expect(JSON.stringify(row)).not.toContain(key);
    const listed = await list({ key });
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.json)).not.toContain(key);
    const audit = await db.audit_event.findFirstOrThrow({
      where: { action: "key.generate", member_id: member.id },
    });
    expect(audit).toMatchObject({ subject: `API key (…${key.slice(-4)})`, source: "screen" });
    expect(
      JSON.stringify(audit, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
    ).not.toContain(key);
  });

  it("accepts name, scopes, streams and expiry", async () => {
    const { headers } = await signedIn("reviewer");
    const stream = await makeStream();
    const answer = await make(
      { headers },
      {
        name: "  Bot  ",
        scopes: ["consume", "read", "consume"],
        stream_ids: [stream.id, stream.id],
        expires_at: "2999-01-01T00:00:00+01:00",
      },
    );
    expect(answer.json).toMatchObject({
      name: "Bot",
      scopes: ["read", "consume"],
      stream_ids: [stream.id],
      expires_at: "2998-12-31T23:00:00.000Z",
    });
  });

  it.each([
    [{ name: "" }, "name: must not be empty"],
    [{ scopes: [] }, "scopes: must name at least one scope"],
    [{ scopes: "" }, "scopes: must be a list"],
    [{ scopes: ["everything"] }, "scopes.0"],
    [{ stream_ids: [2147483647] }, "stream_ids: Stream 2147483647 not found"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at: must be in the future"],
    [{ expires_at: "tomorrow" }, "expires_at: must be an ISO 8601 time"],
  ])("refuses %j", async (body, detail) => {
    const { headers } = await signedIn("admin");
    const answer = await make<Failure>({ headers }, body);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatch(new RegExp(`^Validation error: ${detail}[^;]*$`));
  });

  it("lets a key make a key only with the scope for it, and never a stronger one", async () => {
    const without = await makeKey({ scopes: ["read", "manage", "review", "consume"] });
    const refused = await make<Failure>({ key: without });
    expect([refused.status, refused.json.detail]).toEqual([403, "API key lacks the scope 'keys'"]);
    const key = await makeKey({ scopes: ["read", "keys"] });
    expect((await make({ key })).json.scopes).toEqual(["read"]);
    expect((await make({ key }, { scopes: ["keys"] })).status).toBe(201);
    const stronger = await make<Failure>({ key }, { scopes: ["read", "consume"] });
    expect([stronger.status, stronger.json.detail]).toEqual([403, "API key lacks the scope 'consume'"]);
    const only = await makeKey({ scopes: ["keys"] });
    expect((await make({ key: only })).status).toBe(422);
  });

  it("limits keys made by an expiring key to its expiry", async () => {
    const key = await makeKey({ scopes: ["read", "keys"], expires_at: new Date("2990-01-01") });
    expect((await make({ key })).json.expires_at).toBe("2990-01-01T00:00:00.000Z");
    expect((await make({ key }, { expires_at: "2989-01-01" })).status).toBe(201);
    const longer = await make<Failure>({ key }, { expires_at: "2990-01-02" });
    expect(longer.json.detail).toBe(
      "Validation error: expires_at: must not be later than 2990-01-01T00:00:00.000Z",
    );
  });
});

describe("status", () => {
  it("lists a member's own keys, all for admins, without revoked ones", async () => {
    const [ana, ben] = [await signedIn("reviewer"), await signedIn("viewer")];
    const admin = await signedIn("admin");
    const anas = (await make({ headers: ana.headers })).json.id;
    const bens = (await make({ headers: ben.headers })).json.id;
    const idsFor = async (who: { headers: Record<string, string> }) =>
      (await list(who)).json.keys.map((key) => key.id);
    expect(await idsFor(ana)).toEqual([anas]);
    expect(await idsFor(ben)).toEqual([bens]);
    expect(await idsFor(admin)).toEqual(expect.arrayContaining([anas, bens]));
    await drop({ headers: ana.headers }, { id: anas });
    expect((await list(ana)).json).toEqual({ api_key_set: false, message: "No active API key", keys: [] });
    expect(await idsFor(admin)).not.toContain(anas);
  });

  it("does not count keys of disabled members and revokes the only active one", async () => {
    await db.api_key.updateMany({ data: { revoked_at: new Date() } });
    const admin = await signedIn("admin");
    const gone = await makeMember("reviewer", { disabled_at: new Date() });
    await makeKey({ created_by: gone.id });
    expect((await list(admin)).json).toMatchObject({
      api_key_set: false,
      message: "No active API key",
      keys: [{ created_by: gone.name }],
    });
    const { json } = await make({ headers: admin.headers });
    expect((await list(admin)).json.message).toBe("1 active API key");
    expect((await drop({ headers: admin.headers })).json).toEqual({ revoked: 1, api_key_set: false });
    expect((await list(admin)).json.keys.map(({ id }) => id)).not.toContain(json.id);
  });
});

describe("revoke", () => {
  it("takes effect on the key's next request", async () => {
    const { headers } = await signedIn("reviewer");
    const { json } = await make({ headers });
    expect((await list({ key: json.api_key })).status).toBe(200);
    expect((await list({ headers: { authorization: `bearer ${json.api_key}` } })).status).toBe(200);
    const answer = await drop({ headers }, { id: json.id });
    expect([answer.status, answer.json]).toEqual([200, { revoked: 1, api_key_set: false }]);
    const after = await call<Failure>(status, { path: "/api/v1/api-keys/status", key: json.api_key });
    expect([after.status, after.json.detail]).toEqual([401, "Invalid API key"]);
  });

  it("revokes the only active key without a body and asks when there are several", async () => {
    const { member, headers } = await signedIn("reviewer");
    const none = await drop<Failure>({ headers });
    expect([none.status, none.json.detail]).toEqual([404, "API key not found"]);
    await makeKey({ created_by: member.id, expires_at: new Date("2020-01-01") });
    await make({ headers });
    await make({ headers });
    const several = await drop<Failure>({ headers }, {});
    expect(several.status).toBe(409);
    const first = (await list({ headers })).json.keys[0]?.id;
    expect((await drop({ headers }, { id: first })).json).toEqual({ revoked: 1, api_key_set: true });
    expect((await drop({ headers })).json).toEqual({ revoked: 1, api_key_set: false });
  });

  it("revokes once for two parallel calls", async () => {
    const { headers } = await signedIn("reviewer");
    const { json } = await make({ headers });
    const answers = await Promise.all(Array.from({ length: 6 }, () => drop({ headers }, { id: json.id })));
    expect(answers.map((each) => each.status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const again = await signedIn("reviewer");
    await make({ headers: again.headers });
    const bare = await Promise.all(Array.from({ length: 4 }, () => drop({ headers: again.headers })));
    expect(bare.map((each) => each.status).sort()).toEqual([200, 404, 404, 404]);
  });
});

it("records the last `GET /curated/next` apart from other uses", async () => {
  const { headers } = await signedIn("reviewer");
  const { json } = await make({ headers }, { scopes: ["read", "consume"] });
  const times = async () => {
    const row = (await list({ headers })).json.keys.find(({ id }) => id === json.id);
    return { used: row?.last_used_at, asked: row?.last_asked_at };
  };
  await list({ key: json.api_key });
  await expect.poll(async () => (await times()).used).not.toBeNull();
  expect((await times()).asked).toBeNull();
  await next(json.api_key);
  await expect.poll(async () => (await times()).asked).not.toBeNull();
});
