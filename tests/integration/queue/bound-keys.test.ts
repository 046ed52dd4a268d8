import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import { scopes } from "#lib/auth/permissions.ts";
import { db } from "#lib/db.ts";
import type { AnyOperation } from "#lib/http/operation.ts";
import { registeredPaths } from "#lib/http/operation.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { makeKey, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

/*
 * A bound key gets 404 for posts of other streams and is refused by operations on all streams. Reads are not
 * limited.
 */

const fileOf = (base: string, route: string) =>
  path.resolve("app", `.${base}${route.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");
const changing = registeredPaths()
  .filter(({ base, path: route }) => existsSync(fileOf(base, route)))
  .flatMap(({ base, path: route, operations }) =>
    Object.entries<AnyOperation>(operations)
      .filter(([method, op]) => method !== "GET" || op.changes === true)
      .filter(([, op]) => op.auth !== "none" && op.auth !== "inline" && op.sessionOnly !== true)
      .map(([method, op]) => ({ base, path: route, method, op, name: `${method} ${route}` })),
  );
const own = changing.filter(({ op }) => op.boundKeys === "own");
const refused = changing.filter(({ op }) => op.boundKeys !== "own");

let mine: { id: number };
let theirs: { id: number };
let bound = "";

beforeEach(async () => {
  await db.post.deleteMany();
  await db.stream.deleteMany();
  [mine, theirs] = [await makeStream(), await makeStream()];
  bound = await makeKey({ scopes: [...scopes], stream_ids: [mine.id] });
});

async function ask(name: string, ids: string | number, body?: unknown, key = bound) {
  const endpoint = changing.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const handlers = (await import(
    /* @vite-ignore */ pathToFileURL(fileOf(endpoint.base, endpoint.path)).href
  )) as Record<string, RouteHandler>;
  const params = Object.fromEntries(
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => [match[1] ?? "", String(ids)]),
  );
  return call<{ detail: string } & Record<string, unknown>>(handlers[endpoint.method] as RouteHandler, {
    method: endpoint.method,
    path: endpoint.base + endpoint.path.replace(/\{\w+\}/g, String(ids)),
    params,
    key,
    body: endpoint.method === "GET" ? undefined : body,
  });
}

it("only listed operations accept a bound key; all other changes are refused", () => {
  const families = own.map(({ name }) => name.replace("/hashtags", "/streams"));
  expect([...new Set(families)].sort()).toEqual([
    "DELETE /posts/{id}",
    "DELETE /review/deck",
    "DELETE /saved-filters",
    "DELETE /streams/{id}",
    "GET /review/deck",
    "PATCH /api-keys/{id}",
    "PATCH /posts/{id}",
    "PATCH /streams/{id}",
    "POST /actions/preview",
    "POST /actions/{id}/undo",
    "POST /api-keys/generate",
    "POST /api-keys/revoke",
    "POST /api-keys/{id}/rotate",
    "POST /curated/errors/dismiss",
    "POST /curated/errors/requeue",
    "POST /curated/errors/{id}/undo",
    "POST /curated/{post_id}/error",
    "POST /curated/{post_id}/mark-delivered",
    "POST /curated/{post_id}/requeue",
    "POST /posts/batch-score",
    "POST /posts/{id}/approve",
    "POST /posts/{id}/reject",
    "POST /posts/{id}/review",
    "POST /posts/{id}/score",
    "POST /review/batch",
    "POST /review/batch/{id}/undo",
    "POST /review/decisions",
    "POST /saved-filters",
    "POST /streams/{id}/fetch",
    "PUT /posts/{id}",
    "PUT /streams/{id}",
  ]);
  for (const name of ["POST /curated/cleanup", "POST /curated/trim-pending", "POST /streams/fetch-all"])
    expect(refused.map((each) => each.name)).toContain(name);
});

it.each(refused.map(({ name }) => [name]))("%s is refused, whatever the body", async (name) => {
  const answer = await ask(name, 1, "no JSON");
  expect([answer.status, answer.json]).toMatchObject([
    403,
    { detail: "This concerns every stream, and the API key is bound to some" },
  ]);
});

const error = (id: number) =>
  db.queue_entry.update({
    where: { post_id: id },
    data: { state: "error", error_reason: "x", errored_at: new Date() },
  });

async function posts(make: typeof makePost) {
  return [await make({ stream_id: mine.id }), await make({ stream_id: theirs.id }), await make({})].map(
    ({ id }) => id,
  ) as [number, number, number];
}
const snapshot = (ids: number[]) =>
  db.post.findMany({ where: { id: { in: ids } }, include: { queue_entry: true }, orderBy: { id: "asc" } });

describe("posts of other streams are unknown to the key", () => {
  it.each([
    ["PATCH /posts/{id}", { approved: true }],
    ["PUT /posts/{id}", { reviewer_notes: "mine" }],
    ["POST /posts/{id}/approve", {}],
    ["POST /posts/{id}/reject", {}],
    ["POST /posts/{id}/review", { approved: true }],
    ["DELETE /posts/{id}", undefined],
  ])("%s", async (name, body) => {
    const [its, other, none] = await posts(makePost);
    const before = await snapshot([other, none]);
    for (const id of [other, none]) {
      const answer = await ask(name, id, body);
      expect([answer.status, answer.json]).toMatchObject([404, { detail: "Post not found" }]);
    }
    expect(await snapshot([other, none])).toEqual(before);
    expect([200, 204]).toContain((await ask(name, its, body)).status);
  });

  it.each(["requeue", "mark-delivered", "error"])("%s", async (move) => {
    const [its, other, none] = await posts(makePending);
    const all = [its, other, none];
    if (move === "requeue" || move === "mark-delivered") for (const id of all) await error(id);
    if (move === "release" || move === "error")
      await db.queue_entry.updateMany({
        data: {
          state: "reserved",
          lease_id: crypto.randomUUID(),
          lease_expires_at: new Date(Date.now() + 3e5),
        },
      });
    const before = await snapshot([other, none]);
    for (const id of [other, none]) {
      const answer = await ask(`POST /curated/{post_id}/${move}`, id, { reason: "x" });
      expect([answer.status, answer.json]).toMatchObject([404, { detail: `Post ${id} not found` }]);
    }
    expect(await snapshot([other, none])).toEqual(before);
    expect((await ask(`POST /curated/{post_id}/${move}`, its, { reason: "x" })).status).toBe(204);
  });

  it.each(["requeue", "dismiss"])("errors/%s takes its own", async (verb) => {
    const [its, other, none] = await posts(makePending);
    for (const id of [its, other, none]) await error(id);
    const before = await snapshot([other, none]);
    const answer = await ask(`POST /curated/errors/${verb}`, "", { reason: "x", limit: 100 });
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ changed: 1 })]);
    expect(await snapshot([other, none])).toEqual(before);
    expect((await snapshot([its]))[0]?.queue_entry?.state).toBe(verb === "requeue" ? "pending" : undefined);
  });

  it("batch-score", async () => {
    const [its, other, none] = await posts(makePost);
    const answer = await ask("POST /posts/batch-score", "", { post_ids: [its, other, none] });
    expect(answer.json).toMatchObject({ scored: 1, not_found: [other, none] });
    expect((await snapshot([other, none])).map((post) => post.classified_at)).toEqual([null, null]);
  });

  it("decisions, their undo, and cards", async () => {
    const [its, other, none] = await posts(makePost);
    const deck = (await ask("GET /review/deck", "")) as unknown as { json: Deck };
    expect([deck.json.items.map((card) => card.id), deck.json.remaining]).toEqual([[its], 1]);
    const decide = (decision: string, key = bound) => {
      const decisions = [its, other, none].map((post_id) => ({ id: crypto.randomUUID(), post_id, decision }));
      return ask("POST /review/decisions", "", { decisions }, key);
    };
    const results = (answer: { json: Record<string, unknown> }) =>
      (answer.json.results as { result: string }[]).map(({ result }) => result);
    for (const decision of ["skip", "approve", "undo"])
      expect([decision, results(await decide(decision))]).toEqual([
        decision,
        ["applied", "not_found", "not_found"],
      ]);
    expect((await snapshot([other, none])).map((post) => post.approved)).toEqual([null, null]);
  });

  it("batches by ids and filter, and undo of its own batches only", async () => {
    const [its, other, none] = await posts(makePost);
    const byIds = await ask("POST /review/batch", "", { post_ids: [its, other, none], decision: "reject" });
    expect(byIds.json).toMatchObject({
      changed: 1,
      unchanged: [other, none].map((post_id) => ({ post_id, detail: "Post not found" })),
    });
    expect((await ask("POST /review/batch/{id}/undo", byIds.json.batch_id as string)).json).toMatchObject({
      changed: 1,
    });
    const byFilter = await ask("POST /review/batch", "", { filter: { reviewed: false }, decision: "reject" });
    expect(byFilter.json).toMatchObject({ changed: 1, unchanged: [] });
    const of = { filter: { stream_id: theirs.id }, decision: "reject" };
    expect((await ask("POST /review/batch", "", of)).json).toMatchObject({ changed: 0, unchanged: [] });
    for (const filter of [{ happened: "fetched" }, { happened: "reviewed" }, { happened: "errored" }]) {
      const reached = await ask("POST /review/batch", "", { filter, decision: "reject" });
      expect(reached.json, filter.happened).toMatchObject({ changed: 0 });
    }
    expect((await snapshot([other, none])).map((post) => post.approved)).toEqual([null, null]);
    const everybody = await ask(
      "POST /review/batch",
      "",
      { post_ids: [its, other, none], decision: "approve" },
      await makeKey(),
    );
    expect(everybody.json).toMatchObject({ changed: 3 });
    const undo = await ask("POST /review/batch/{id}/undo", everybody.json.batch_id as string);
    expect([undo.status, undo.json.detail]).toEqual([404, "Batch not found"]);
    expect((await snapshot([its, other, none])).map((post) => post.approved)).toEqual([true, true, true]);
  });
});

describe("other streams are unknown to the key in changes", () => {
  it.each([
    ["PATCH /streams/{id}", { drop_replies: true }],
    ["PUT /streams/{id}", { active: false }],
    ["POST /streams/{id}/fetch", undefined],
    ["DELETE /streams/{id}", undefined],
  ])("%s", async (name, body) => {
    const before = await db.stream.findUnique({ where: { id: theirs.id } });
    for (const alias of [name, name.replace("/streams", "/hashtags")]) {
      const answer = await ask(alias, theirs.id, body);
      expect([answer.status, answer.json]).toMatchObject([404, { detail: `Stream ${theirs.id} not found` }]);
    }
    expect(await db.stream.findUnique({ where: { id: theirs.id } })).toEqual(before);
    // A fetch of its own stream passes the check and fails later.
    if (name.endsWith("/fetch")) await db.stream.update({ where: { id: mine.id }, data: { active: false } });
    expect((await ask(name, mine.id, body)).status).toBe(
      name.endsWith("/fetch") ? 409 : name.startsWith("DELETE") ? 204 : 200,
    );
  });
});
