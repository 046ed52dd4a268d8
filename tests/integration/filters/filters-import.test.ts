import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as userExport from "#app/api/v1/reblog-controls/blocked-users.csv/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addBlock } from "#lib/blocking/blocks.ts";
import type { UserImportResult } from "#lib/blocking/schema.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";
import { call } from "#tests/setup/request.ts";
import { applyAll, holdsOf, wrongEntries } from "./filters-queue.ts";

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change, post, stream CASCADE`;
});

const path = "/api/v1/reblog-controls";
const importUsers = (body: unknown, query = "") =>
  sender({ key })<UserImportResult>(`POST reblog-controls/blocked-users/import${query}`, body);

describe("importing blocked users", () => {
  const text = "#domain,#severity\nbad.example,suspend\nfine.example,noop\nb*d.example,suspend\n";

  test("the preview changes nothing and the import applies it", async () => {
    await addBlock("user", servicePrincipal, { account_identifier: ".bad.example", pattern_type: "suffix" });
    const { id } = await makePending({ author_username: "spam", instance: "bad.example" });
    const lines = await db.audit_event.count();
    const preview = await importUsers({ text }, "?dry_run=true");
    expect(preview.status).toBe(200);
    const expected = {
      added: 1,
      existing: 0,
      ignored: 1,
      limited: 0,
      unreadable: [{ line: 4, text: "b*d.example,suspend", message: "has a * that can mean several things" }],
      entries: [
        { account_identifier: "@bad.example", pattern_type: "suffix", notes: null, subdomains: true },
      ],
    };
    expect(preview.json).toMatchObject({ dry_run: true, ...expected });
    expect([await db.blocked_user.count(), await holdsOf(db, id)]).toEqual([1, 0]);
    const done = await importUsers({ text });
    expect(done.json).toMatchObject({ dry_run: false, ...expected });
    expect([await db.blocked_user.count(), await holdsOf(db, id)]).toEqual([2, 1]);
    expect(await db.audit_event.count()).toBe(lines + 1);
    expect((await importUsers({ text })).json).toMatchObject({ added: 0, existing: 1 });
    expect(await db.audit_event.count()).toBe(lines + 1);
  });

  test("many patterns of all kinds are applied together", async () => {
    for (const author_username of ["ann", "bot1", "newsbot"]) {
      await makePending({ author_username, instance: "bad.example" });
      await makePending({ author_username, instance: "good.example" });
    }
    const domains = Array.from({ length: 30 }, (_, n) => `@n${n}.example,suffix,true`);
    const header = "account_identifier,pattern_type,subdomains";
    const others = ["ann@good.example,exact,", "bot,prefix,", "wsb,contains,"];
    const answer = await importUsers({ text: [header, ...domains, ...others].join("\n") });
    expect(answer.json.added).toBe(33);
    expect(await wrongEntries(db)).toEqual([]);
    expect(await db.queue_entry.count({ where: { holds: 1 } })).toBe(5);
    await applyAll(db);
  });

  test("two parallel imports in different order add each pattern once without deadlock", async () => {
    const names = Array.from({ length: 200 }, (_, n) => `u${n}@bad.example`);
    const answers = await Promise.all([
      importUsers({ text: names.join("\n") }),
      importUsers({ text: names.toReversed().join("\n") }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(answers.reduce((sum, answer) => sum + answer.json.added, 0)).toBe(200);
    expect(await db.blocked_user.count()).toBe(200);
  });
});

test("an export can be imported", async () => {
  const users =
    "account_identifier,pattern_type,subdomains\nspam@bad.example,exact,\n@worse.example,suffix,true\n" +
    "@bad.example,suffix,false\nbot,prefix,\nfollow,contains,\n";
  await importUsers({ text: users });
  await db.blocked_user.updateMany({
    where: { pattern_type: "prefix" },
    data: { notes: '=cmd|"x", "y"\nz' },
  });
  const answer = await call(userExport.GET, { path: `${path}/blocked-users.csv`, key });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="blocked-users.csv"');
  const userCsv = answer.text;
  expect(userCsv).toContain(`"'@bad.example",suffix`);
  expect(userCsv).toContain("'=cmd");
  const pick = { account_identifier: true, pattern_type: true, notes: true };
  const before = await db.blocked_user.findMany({ orderBy: { id: "asc" }, select: pick });
  expect((await importUsers({ text: userCsv }, "?dry_run=yes")).json).toMatchObject({
    added: 0,
    existing: 5,
  });
  await db.blocked_user.deleteMany();
  expect((await importUsers({ text: userCsv })).json.added).toBe(5);
  const byName = (a: { account_identifier: string }, b: { account_identifier: string }) =>
    a.account_identifier < b.account_identifier ? -1 : 1;
  expect((await db.blocked_user.findMany({ select: pick })).sort(byName)).toEqual(before.sort(byName));
});

test("an export begins with a byte order mark, and the forms of Mastodon are read again", async () => {
  await importUsers({ text: "#domain,#severity,#public_comment\nbad.example,suspend,Grüße 猫\n" });
  await importUsers({ text: "spam@bad.example\n" });
  const read = async (query: string) => {
    const request = new Request(`http://localhost${path}/blocked-users.csv${query}`, {
      headers: { "x-api-key": key },
    });
    return Buffer.from(await (await userExport.GET(request)).arrayBuffer()).toString("utf8");
  };
  expect(await read("")).toMatch(/^\ufeffaccount_identifier,[^]*"'@bad\.example",suffix,Grüße 猫,/u);
  expect(await read("?form=accounts")).toBe("\ufeffspam@bad.example\r\n");
  const domains = await read("?form=domains");
  expect(domains).toMatch(/^\ufeff#domain,#severity,.*\r\nbad\.example,suspend,[^\r]*\r\n$/);
  for (const text of [await read(""), await read("?form=accounts"), domains])
    expect((await importUsers({ text })).json).toMatchObject({ added: 0, unreadable: [] });
});
