import { expect, it } from "vitest";
import { PUT as setStanding } from "#app/api/v1/authors/[account]/route.ts";
import { PUT as setChecks } from "#app/api/v1/checks/settings/route.ts";
import { PUT as setRules } from "#app/api/v1/classify/rules/route.ts";
import { POST as addWord } from "#app/api/v1/classify/words/route.ts";
import { GET, HEAD } from "#app/api/v1/export/route.ts";
import { POST as blockHashtag } from "#app/api/v1/reblog-controls/blocked-hashtags/route.ts";
import { POST as importHashtags } from "#app/api/v1/reblog-controls/blocked-hashtags/import/route.ts";
import { POST as blockUser } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { POST as importUsers } from "#app/api/v1/reblog-controls/blocked-users/import/route.ts";
import { PUT as setSwitches } from "#app/api/v1/reblog-controls/settings/route.ts";
import { POST as saveFilter } from "#app/api/v1/saved-filters/route.ts";
import { POST as addStream } from "#app/api/v1/streams/route.ts";
import { POST as addTopicalTag } from "#app/api/v1/topical-tags/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { db } from "#lib/db.ts";
import type { HashtagImportResult, UserImportResult } from "#lib/filters/schema.ts";
import type { Takeout } from "#lib/takeout/schema.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

const member = await makeMember("admin", {
  name: "Ann",
  email: "ann@takeout.example",
  password_hash: "$argon2id$a-hash-that-nobody-may-see",
});
const key = await makeKey({ created_by: member.id });

async function enter<Body>(
  handler: RouteHandler,
  path: string,
  body: unknown,
  method: "POST" | "PUT" = "POST",
) {
  const params = { account: "@kim@zoo.example" };
  const answer = await call<Body>(handler, { method, path: `/api/v1${path}`, params, key, body });
  expect(answer.status, path).toBeLessThan(300);
  return answer.json;
}

const entered = {
  stream: { hashtag: "cats", instance: "mastodon.example", languages: ["en"], fetch_interval_minutes: 45 },
  user: { account_identifier: "@spam@bad.example", pattern_type: "exact", notes: "=Sells, followers" },
  pattern: { account_identifier: "@bad.example", pattern_type: "suffix", subdomains: true },
  hashtag: { hashtag: "Giveaway", notes: "-" },
  filter: { name: "Japanese", filter: { language: "ja" }, shared: true },
};

const stream = await enter<{ id: number }>(addStream, "/streams", entered.stream);
await enter(setSwitches, "/reblog-controls/settings", { require_alt_text: true }, "PUT");
await enter(blockUser, "/reblog-controls/blocked-users", entered.user);
await enter(blockUser, "/reblog-controls/blocked-users", entered.pattern);
await enter(blockHashtag, "/reblog-controls/blocked-hashtags", entered.hashtag);
await enter(addTopicalTag, "/topical-tags", { hashtag: "caturday", topical_day_of_week: "Saturday" });
await enter(addWord, "/classify/words", { word: "free crypto", stream_id: stream.id });
await enter(setRules, "/classify/rules", { rules: [{ name: "many_hashtags", weight: 0.25 }] }, "PUT");
await enter(setChecks, "/checks/settings", { checks: [{ name: "rules", threshold: 0.8 }] }, "PUT");
await enter(saveFilter, "/saved-filters", entered.filter);
await enter(setStanding, "/authors/@kim@zoo.example", { standing: "trusted" }, "PUT");
const bound = await makeKey({ created_by: member.id, stream_ids: [stream.id] });

const get = (using: string) => call<Takeout>(GET, { path: "/api/v1/export", key: using });

it("contains all entered data without internal ids", async () => {
  const { status, json, headers } = await get(key);
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="sluice-\d{4}-\d\d-\d\d\.json"$/);
  const here = { hashtag: "cats", instance: "mastodon.example" };
  expect(json).toMatchObject({
    format: "sluice-export",
    version: 1,
    streams: [entered.stream],
    switches: { require_alt_text: true, require_media: false, auto_reject_bots: false },
    blocked_users: [
      { ...entered.user, account_identifier: "spam@bad.example", subdomains: false },
      { ...entered.pattern, notes: null },
    ],
    blocked_hashtags: [entered.hashtag],
    topical_tags: [{ hashtag: "caturday", topical_day_of_week: "Saturday", topical_month_day: null }],
    words: [{ word: "free crypto", stream: here }],
    saved_filters: [{ ...entered.filter, owner: member.email }],
    author_standings: [{ account: "@kim@zoo.example", standing: "trusted" }],
    members: [{ email: member.email, name: "Ann", role: "admin", disabled_at: null }],
  });
  expect(json.checks).toContainEqual({
    name: "rules",
    enabled: true,
    votes: true,
    threshold: 0.8,
    shown: true,
  });
  expect(json.text_rules).toContainEqual({ name: "many_hashtags", weight: 0.25, enabled: true });
  expect(json.api_keys.map((each) => [each.created_by, each.streams])).toEqual([
    ["Ann", [here]],
    ["Ann", null],
  ]);
});

it("contains all streams", async () => {
  const before = await db.stream.count();
  await db.$executeRaw`
    INSERT INTO stream (hashtag, hashtag_folded, instance)
    SELECT 'many' || n, 'many' || n, 'many.example' FROM generate_series(1, 1001) n`;
  const { streams } = (await get(key)).json;
  expect(new Set(streams.map((each) => each.hashtag)).size).toBe(before + 1001);
  await db.stream.deleteMany({ where: { instance: "many.example" } });
});

it("contains no password, key or id", async () => {
  const { json } = await get(key);
  const text = JSON.stringify(json);
  const rows = await db.api_key.findMany();
  const secrets = [
    "argon2",
    ...rows.flatMap((row) => [row.prefix, Buffer.from(row.key_hash).toString("hex")]),
    Buffer.from(hashKey(key)).toString("base64"),
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(
    /"(id|password_hash|has_password|token|key_hash|last_characters|session_version)"/,
  );
});

it("is accepted by both block-list imports", async () => {
  const text = JSON.stringify((await get(key)).json, null, 2);
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag`;
  const users = await enter<UserImportResult>(importUsers, "/reblog-controls/blocked-users/import", { text });
  expect(users).toMatchObject({ added: 2, existing: 0, ignored: 0, unreadable: [] });
  const blocked = { ...entered.user, account_identifier: "spam@bad.example", subdomains: false };
  expect(users.entries).toEqual([{ ...entered.pattern, notes: null }, blocked]);
  const hashtags = await enter<HashtagImportResult>(
    importHashtags,
    "/reblog-controls/blocked-hashtags/import",
    { text },
  );
  expect(hashtags.entries).toEqual([entered.hashtag]);
});

it("is logged with actor, time and counts, except when refused", async () => {
  const exports = () => db.audit_event.findMany({ where: { action: "data.export" }, orderBy: { id: "asc" } });
  const before = (await exports()).length;
  const { json } = await get(key);
  await get(bound);
  const lines = (await exports()).slice(before);
  expect(lines).toMatchObject([
    {
      source: "api",
      member_id: member.id,
      subject: "sluice-export 1",
      before: null,
      after: {
        streams: json.streams.length,
        blocked_users: json.blocked_users.length,
        members: json.members.length,
        api_keys: json.api_keys.length,
      },
    },
  ]);
  expect(Math.abs((lines[0]?.at.getTime() ?? 0) - Date.parse(json.exported_at))).toBeLessThan(60_000);
  expect(JSON.stringify(lines.map((line) => line.after))).not.toContain("spam@bad.example");
  expect((await call(HEAD, { method: "HEAD", path: "/api/v1/export", key })).status).toBe(405);
  expect(await exports()).toHaveLength(before + 1);
});

it("is for unbound keys only", async () => {
  const refused = await get(bound);
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ detail: expect.stringContaining("every stream") as string });
});
