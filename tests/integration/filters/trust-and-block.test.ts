import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as UNDO } from "#app/api/v1/actions/[id]/undo/route.ts";
import * as author from "#app/api/v1/authors/[account]/route.ts";
import { POST as IMPORT } from "#app/api/v1/reblog-controls/blocked-users/import/route.ts";
import { POST as BLOCK } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import { resolveOptOut, reportOptOut } from "#lib/consent/opt-outs.ts";
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

  test("that ended returns with the last of several blocks, whichever is undone first", async () => {
    for (const first of ["exact", "suffix"]) {
      await db.$executeRaw`TRUNCATE blocked_user, author_standing, change CASCADE`;
      await stand("trusted");
      await block("ann@bad.example");
      await block("@bad.example", "suffix");
      const changes = await db.change.findMany({ where: { kind: "block" }, orderBy: { seq: "asc" } });
      expect(changes).toHaveLength(2);
      const [exact, suffix] = changes.map(({ id }) => id);
      const undo = (id = "") =>
        call(UNDO, { method: "POST", path: `/api/v1/actions/${id}/undo`, key, params: { id } });
      await undo(first === "exact" ? exact : suffix);
      expect(await standings()).toEqual([]);
      await undo(first === "exact" ? suffix : exact);
      expect(await standings()).toEqual([{ author_key: "ann@bad.example", standing: "trusted" }]);
    }
  });

  test("a confirmed opt-out", async () => {
    const found = { author_key: ann.slice(1), post_id: 1, reason: "opted out" };
    await reportOptOut(servicePrincipal, () => Promise.resolve(found));
    expect(await standings()).toHaveLength(4);
    await resolveOptOut(servicePrincipal, ann.slice(1), "confirmed");
    expect(await standings()).toEqual([bob, ...rest]);
  });
});
