import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as UNDO } from "#app/api/v1/actions/[id]/undo/route.ts";
import * as author from "#app/api/v1/authors/[account]/route.ts";
import { PUT as OPT_OUT } from "#app/api/v1/opt-outs/[account]/route.ts";
import { POST as IMPORT } from "#app/api/v1/reblog-controls/blocked-users/import/route.ts";
import { POST as BLOCK } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { reportOptOut } from "#lib/consent/opt-outs.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { lockLists } from "#lib/filters/block-changes-sql.ts";
import { waitForBlockedStatement } from "#tests/setup/database.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, block_change, author_standing, audit_event, reported_opt_out`;
});

const ann = "@ann@bad.example";
const stand = (standing: string, account = ann) =>
  call<{ standing: string; detail: string }>(author.PUT, {
    method: "PUT",
    path: `/api/v1/authors/${account}`,
    params: { account },
    key,
    body: { standing },
  });
const block = (account_identifier: string, pattern_type = "exact") =>
  call(BLOCK, {
    method: "POST",
    path: "/api/v1/reblog-controls/blocked-users",
    key,
    body: { account_identifier, pattern_type },
  });
async function confirmOptOut() {
  const found = { author_key: ann.slice(1), post_id: 1, reason: "opted out" };
  await reportOptOut(servicePrincipal, () => Promise.resolve(found));
  const body = { resolution: "confirmed" };
  const path = `/api/v1/opt-outs/${ann}`;
  expect((await call(OPT_OUT, { method: "PUT", path, params: { account: ann }, key, body })).status).toBe(
    204,
  );
}
const standings = () =>
  db.author_standing.findMany({
    orderBy: { author_key: "asc" },
    select: { author_key: true, standing: true },
  });

describe("a blocked author cannot be trusted", () => {
  test.each([
    ["exact", "ann@bad.example", "@ann@bad.example"],
    ["suffix", "@bad.example", "*@bad.example"],
    ["contains", "nn@b", "*nn@b*"],
  ])("with a block of the type %s, which the error names", async (type, pattern, shown) => {
    await block(pattern, type);
    expect(await stand("trusted")).toMatchObject({
      status: 409,
      json: { detail: `${ann} is blocked by ${shown}; unblock first` },
    });
    expect(await standings()).toEqual([]);
    expect((await stand("muted")).status).toBe(200);
  });

  test("also while the block is being committed", async () => {
    let late: ReturnType<typeof stand> | undefined;
    await db.$transaction(async (tx) => {
      await tx.blocked_user.create({ data: { account_identifier: ann.slice(1), pattern_type: "exact" } });
      await lockLists(tx);
      late = stand("trusted");
      await waitForBlockedStatement();
    });
    expect((await late)?.status).toBe(409);
  });
});

describe("a block ends the trust of the authors that it matches, with a line in the audit log", () => {
  beforeEach(async () => {
    for (const account of [ann, "@bob@bad.example", "@cat@good.example"]) await stand("trusted", account);
    await stand("muted", "@dan@bad.example");
    await db.audit_event.deleteMany();
  });
  const rest = [
    { author_key: "cat@good.example", standing: "trusted" },
    { author_key: "dan@bad.example", standing: "muted" },
  ];
  const bob = { author_key: "bob@bad.example", standing: "trusted" };
  const ended = () =>
    db.audit_event.findMany({ where: { action: "author.standing" }, orderBy: { id: "asc" } });

  test("one account", async () => {
    await block("ann@bad.example");
    expect(await standings()).toEqual([bob, ...rest]);
    expect(await ended()).toMatchObject([
      { subject: ann, before: { standing: "trusted" }, after: { standing: "none" } },
    ]);
  });

  test("a pattern, and a list", async () => {
    await block("@bad.example", "suffix");
    expect(await standings()).toEqual(rest);
    await call(IMPORT, {
      method: "POST",
      path: "/api/v1/reblog-controls/blocked-users/import",
      key,
      body: { text: "good.example\n" },
    });
    expect(await standings()).toEqual(rest.slice(1));
    expect(await ended()).toHaveLength(3);
  });

  const exact = () => block("ann@bad.example");
  const suffix = () => block("@bad.example", "suffix");
  test.each([
    ["a block and a pattern", [exact, suffix]],
    ["a confirmed opt-out and a pattern", [confirmOptOut, suffix]],
    ["a pattern and a confirmed opt-out", [suffix, confirmOptOut]],
  ])("that ended returns with the last of %s, whichever is undone first", async (_what, acts) => {
    for (const inOrder of [true, false]) {
      await db.$executeRaw`TRUNCATE blocked_user, author_standing, change CASCADE`;
      await stand("trusted");
      for (const act of acts) await act();
      const where = { kind: { in: ["block", "opt_out"] } };
      const changes = await db.change.findMany({ where, orderBy: { seq: inOrder ? "asc" : "desc" } });
      expect(changes).toHaveLength(2);
      for (const { id } of changes) {
        expect(await standings()).toEqual([]);
        const path = `/api/v1/actions/${id}/undo`;
        expect((await call(UNDO, { method: "POST", path, key, params: { id } })).status).toBe(200);
      }
      expect(await standings()).toEqual([{ author_key: "ann@bad.example", standing: "trusted" }]);
    }
  });

  test("that a reviewer replaced after a confirmed opt-out stays replaced when that is undone", async () => {
    await confirmOptOut();
    await stand("muted");
    const { id } = await db.change.findFirstOrThrow({ where: { kind: "opt_out" }, orderBy: { seq: "desc" } });
    await call(UNDO, { method: "POST", path: `/api/v1/actions/${id}/undo`, key, params: { id } });
    expect(await standings()).toContainEqual({ author_key: "ann@bad.example", standing: "muted" });
  });

  test("a confirmed opt-out", async () => {
    await confirmOptOut();
    expect(await standings()).toEqual([bob, ...rest]);
  });
});
