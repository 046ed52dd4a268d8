import pg from "pg";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { db, disconnectDb } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Providers set time limits for statements, locks and transactions. An ended statement is rolled back and answers 503. */

let key = "";

beforeAll(async () => {
  key = await makeKey();
});

async function setDatabase(setting: string, value: string): Promise<void> {
  const database = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${database} SET ${setting} = '${value}'`);
  await admin.end();
  // Open connections keep the old setting.
  await disconnectDb();
}

describe.each(["statement_timeout", "lock_timeout"])("a statement that %s ends", (setting) => {
  it("answers 503 in plain words, changes nothing, and may be repeated", async () => {
    const { id } = await makePost();
    const approve = () =>
      call(PATCH, { method: "PATCH", path: "/x", params: { id: String(id) }, key, body: { approved: true } });
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT FROM post WHERE id = $1 FOR UPDATE", [id]);
    await setDatabase(setting, "200ms");
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const answer = await approve();
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
      503,
      "5",
      { detail: "The database ended this request because it took too long, try again" },
    ]);
    logged.mockRestore();
    await other.query("COMMIT");
    await other.end();
    await setDatabase(setting, "0");
    expect(await db.post_event.count({ where: { post_id: id } })).toBe(0);
    expect((await approve()).status).toBe(200);
  });
});
