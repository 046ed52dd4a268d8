import { afterEach, expect, test, vi } from "vitest";
import * as fetchRoute from "#app/api/v1/streams/[id]/fetch/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { updateStream } from "#lib/collect/streams.ts";
import { getStream } from "#lib/collect/streams.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { faults, type Fault } from "#tests/simulated-server/server.ts";
import { fetchNow, fetchToEnd, freshStream, skipPauses, streamRow, wanted } from "./stream-fetches.ts";

skipPauses();

const { mastodon } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ mastodon: { posts: 100 } }),
);

afterEach(async () => {
  mastodon.control.clearFaults();
  // Clears the waits of hosts for the next test.
  await db.host_state.updateMany({ data: { state: {} } });
});

test("answers 503 with Retry-After for a host that asked to wait, without a request", async () => {
  const { id } = await freshStream(mastodon);
  mastodon.control.failNext(faults.tooManyRequests(120));
  expect((await fetchNow(id)).status).toBe(502);
  const before = mastodon.control.requests.length;
  const answer = await fetchNow(id);
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(100);
  expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(120);
  expect(mastodon.control.requests.length).toBe(before);
  expect((await streamRow(id)).error_count).toBe(1);
});

test("retries less often after consecutive errors", async () => {
  const { id } = await freshStream(mastodon);
  const pauses: number[] = [];
  for (let n = 0; n < 3; n++) {
    mastodon.control.failNext(faults.notFound());
    await fetchNow(id);
    pauses.push(((await streamRow(id)).next_scheduled_fetch?.getTime() ?? 0) - Date.now());
  }
  expect(await db.fetch_run.findFirst({ where: { stream_id: id } })).toMatchObject({
    error: (await streamRow(id)).last_error,
    new: 0,
  });
  const minutes = pauses.map((ms) => Math.round(ms / 60_000));
  expect(minutes[0]).toBe(5);
  expect(minutes[1]).toBeGreaterThanOrEqual(9);
  expect(minutes[2]).toBeGreaterThanOrEqual(19);
  await db.stream.update({ where: { id }, data: { error_count: 40 } });
  mastodon.control.failNext(faults.notFound());
  await fetchNow(id);
  const longest = ((await streamRow(id)).next_scheduled_fetch?.getTime() ?? 0) - Date.now();
  expect(longest / 60_000).toBeGreaterThan(1_300);
  expect(longest / 60_000).toBeLessThan(1_520);
});

test("the state of a stream is checking, failing since its first failure, waiting for a token, working or paused", async () => {
  const { id } = await freshStream(mastodon);
  const shown = async () => {
    const { state, failing_since } = await getStream(id);
    return { state, since: failing_since };
  };
  const failWith = async (fault: Fault) => {
    mastodon.control.failNext(fault);
    await fetchNow(id);
    await db.host_state.updateMany({ data: { state: {} } });
    return shown();
  };
  expect(await shown()).toEqual({ state: "checking", since: null });
  const first = await failWith(faults.serverError());
  expect(first).toEqual({ state: "failing", since: expect.any(String) as string });
  expect(await failWith(faults.serverError())).toEqual(first);
  expect(await failWith(faults.unauthorized())).toEqual({ ...first, state: "waiting_for_token" });
  expect((await fetchNow(id, "?limit=1")).status).toBe(200);
  expect(await shown()).toEqual({ state: "working", since: null });
  // A host that asked to wait was not asked, so the stream did not fail again.
  mastodon.control.failNext(faults.tooManyRequests(120));
  const limited = (await fetchNow(id), await shown());
  await fetchNow(id);
  expect(await shown()).toEqual(limited);
  await updateStream(servicePrincipal, id, { active: false });
  expect((await shown()).state).toBe("paused");
});

test("keeps the pages before a failed one, with the cursor behind them", async () => {
  const { id } = await freshStream(mastodon);
  mastodon.control.failNext({ kind: "slow", ms: 0 });
  mastodon.control.failNext(faults.serverError());
  expect((await fetchNow(id, "?limit=400")).status).toBe(502);
  const stored = await db.post.count();
  expect(stored).toBeGreaterThan(10);
  const { cursor } = await streamRow(id);
  expect(cursor).toMatchObject({ past: { at: expect.any(String) as string } });
  expect(await db.fetch_run.findFirst({ where: { stream_id: id } })).toMatchObject({
    pages: 1,
    new: stored,
  });

  await db.host_state.updateMany({ data: { state: {} } });
  // The same page fails again, and the cursor does not move.
  mastodon.control.failNext({ kind: "slow", ms: 0 });
  mastodon.control.failNext(faults.notFound());
  expect((await fetchNow(id, "?limit=400")).status).toBe(502);
  expect((await streamRow(id)).cursor).toMatchObject({
    past: (cursor as { past: object }).past,
  });
  await fetchToEnd(id);
  expect(await db.post.count()).toBe(wanted(mastodon));
});

test("skips a post that the database rejects and stores the rest of its page", async () => {
  const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const { id } = await freshStream(mastodon);
  const poison = mastodon.control.addPost({ hashtags: ["cats"] }, "text");
  await db.$executeRawUnsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.uri LIKE '%${poison.id}' THEN RAISE EXCEPTION 'poison'; END IF; RETURN NEW; END $$`);
  await db.$executeRaw`CREATE TRIGGER refuse BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION refuse()`;
  const answer = await fetchNow(id, "?limit=400");
  await db.$executeRaw`DROP FUNCTION refuse CASCADE`;
  expect(answer).toMatchObject({ status: 200, json: { cursor_at_end: true, dropped: { unreadable: 1 } } });
  expect(await db.post.count()).toBe(wanted(mastodon) - 1);
  expect(logged).toHaveBeenCalled();
  expect(await fetchNow(id)).toMatchObject({ json: { new: 1 } });
});

test("has earlier copies of a text checked again after a deadlock", async () => {
  const { id } = await freshStream(mastodon);
  const author = mastodon.control.findAuthor("mira");
  const raw = { content: "<p>The same words about every heron at the weir</p>" };
  const addCopy = () => mastodon.control.addPost({ hashtags: ["cats"], author, raw });
  const copies = [addCopy(), addCopy()];
  await fetchToEnd(id);
  await db.$executeRaw`CREATE SEQUENCE updates`;
  await db.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF nextval('updates') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF; RETURN NULL; END $$`;
  await db.$executeRaw`CREATE TRIGGER refuse BEFORE UPDATE OF classified_at ON post EXECUTE FUNCTION refuse()`;
  copies.push(addCopy());
  expect(await fetchNow(id)).toMatchObject({ status: 200, json: { new: 1 } });
  await db.$executeRaw`DROP FUNCTION refuse CASCADE`;
  expect(await db.post.count({ where: { classified_at: null } })).toBe(2);
  for (const copy of copies) mastodon.control.posts.splice(mastodon.control.posts.indexOf(copy), 1);
});

test.each<[string, number, (id: number) => Promise<unknown>]>([
  [
    "losing the lease",
    409,
    (id) =>
      db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + interval '1 minute' WHERE id = ${id}`,
  ],
  ["a source change", 409, (id) => updateStream(servicePrincipal, id, { hashtag: "otters" })],
  ["its deletion", 404, (id) => db.stream.delete({ where: { id } })],
])("stores nothing after %s", async (_what, code, change) => {
  const { id } = await freshStream(mastodon);
  mastodon.control.failNext({ kind: "slow", ms: 600 });
  const running = fetchNow(id, "?limit=400");
  await expect.poll(async () => (await db.fetch_run.count({ where: { stream_id: id } })) > 0).toBe(true);
  await change(id);
  expect((await running).status).toBe(code);
  expect(await db.post.count()).toBe(0);
  const row = await db.stream.findUnique({ where: { id } });
  expect(row === null || (row.last_error === null && JSON.stringify(row.cursor) === "{}")).toBe(true);
  expect(row === null || (row.fetch_lease !== null) === (row.hashtag === "cats")).toBe(true);
});

test("does not count a used-up rate limit as a failure", async () => {
  const { id } = await freshStream(mastodon);
  const { rateLimit } = mastodon.control;
  const asked = mastodon.control.hits("/timelines/tag/");
  mastodon.control.rateLimit = null;
  mastodon.control.failNext({ kind: "slow", ms: 600 });
  const running = fetchNow(id, "?limit=400");
  await expect.poll(() => mastodon.control.hits("/timelines/tag/")).toBe(asked + 1);
  // Another client at our IP address uses the remaining limit.
  const used = { rate_limit: 300, rate_remaining: 0, rate_reset_at: Date.now() + 300_000 };
  await db.$executeRaw`
    UPDATE host_state SET state = state || ${JSON.stringify(used)}::jsonb WHERE host = ${mastodon.host}`;
  const answer = await running;
  mastodon.control.rateLimit = rateLimit;
  expect(answer).toMatchObject({ status: 200, json: { pages: 1, cursor_at_end: false } });
  expect(await streamRow(id)).toMatchObject({ last_error: null, error_count: 0 });
  expect(await db.post.count()).toBeGreaterThan(0);
});

test("completes after the client disconnects", async () => {
  const { id } = await freshStream(mastodon);
  mastodon.control.failNext({ kind: "slow", ms: 300 });
  const key = await makeKey();
  const client = new AbortController();
  const request = new Request(`http://localhost:3000/api/v1/streams/${id}/fetch?limit=3`, {
    method: "POST",
    headers: { "x-api-key": key },
    signal: client.signal,
  });
  const answer = fetchRoute.POST(request, { params: Promise.resolve({ id: String(id) }) });
  setTimeout(() => client.abort(), 50);
  await answer;
  expect(await db.post.count()).toBe(3);
});

test("loses no post on a full disk", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const { id } = await freshStream(mastodon);
  await db.$executeRawUnsafe(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
  await db.$executeRaw`CREATE TRIGGER no_room BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION no_room()`;
  const answer = await fetchNow(id, "?limit=400");
  await db.$executeRaw`DROP FUNCTION no_room CASCADE`;
  expect(answer).toMatchObject({ status: 503, json: { detail: "The database cannot write now, try again" } });
  await fetchToEnd(id);
  expect(await db.post.count()).toBe(wanted(mastodon));
});
