import pg from "pg";
import { expect, it, vi } from "vitest";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { db } from "#lib/base/db.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

async function send(key: string, post_id: number, decision: "approve" | "reject") {
  const decisions = [{ id: crypto.randomUUID(), post_id, decision }];
  const answer = await call(decide, { method: "POST", path: "/api/v1/x", key, body: { decisions } });
  expect(answer.json).toMatchObject({ results: [{ result: "applied" }] });
}

const recorded = async (post_id: number) => ({
  events: await db.post_event.count({ where: { post_id } }),
  decisions: await db.decision.count({ where: { post_id } }),
});

it("one approval at the desk sends at most four statements in its transaction and writes two rows of record", async () => {
  // Before the first connection, which lib/base/db-watch.ts wraps.
  const query = vi.spyOn(pg.Client.prototype, "query");
  const key = await makeKey();
  const [first, { id }] = [await makePost(), await makePost()];
  await send(key, first.id, "reject");
  query.mockClear();
  await send(key, id, "approve");
  const sent = query.mock.calls.map(([text]) =>
    typeof text === "string" ? text : (text as pg.QueryConfig).text,
  );
  const statements = sent.slice(sent.indexOf("BEGIN") + 1, sent.indexOf("COMMIT"));
  expect(statements.length).toBeGreaterThan(2);
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(4);
  expect(await recorded(id)).toEqual({ events: 1, decisions: 1 });
});
