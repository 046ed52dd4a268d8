import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as fetchRoute from "#app/api/v1/streams/[id]/fetch/route.ts";
import * as tokenRoute from "#app/api/v1/hosts/[host]/token/route.ts";
import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { foldHashtag } from "#lib/fediverse/fold-hashtag.ts";
import type { FetchResult } from "#lib/streams/schema.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { faults, type SimulatedServer, type Software } from "#tests/simulated-server/server.ts";

// Before any module reads the settings: these servers are on a private address.
const { mastodon, gotosocial, others } = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const start = (software: Software, posts = 100) =>
    startSimulatedServer({ software, posts, hashtags: ["cats"], spanHours: 20, seed: software });
  const servers = {
    mastodon: await start("mastodon"),
    gotosocial: await start("gotosocial", 30),
    others: [await start("pleroma", 60), await start("pixelfed", 30), await start("misskey", 60)],
  };
  const all = [servers.mastodon, servers.gotosocial, ...servers.others];
  process.env.ALLOWED_PRIVATE_HOSTS = all.map((server) => server.origin).join(",");
  return servers;
});

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
afterEach(async () => {
  for (const { control } of [mastodon, gotosocial, ...others]) control.clearFaults();
  // What a host once asked for must not slow the next test.
  await db.host_state.updateMany({ data: { state: {} } });
});
afterAll(async () => {
  for (const server of [mastodon, gotosocial, ...others]) await server.close();
});

const fetchNow = (id: number | string, query = "") =>
  call<FetchResult>(fetchRoute.POST, {
    method: "POST",
    path: `/api/v1/streams/${id}/fetch${query}`,
    params: { id: String(id) },
    key,
  });

/** A stream of #cats; of several on one server the others are removed with what they brought. */
async function freshStream(server: SimulatedServer, data: Record<string, unknown> = {}) {
  await db.stream.deleteMany({ where: { instance: server.host } });
  await db.post.deleteMany();
  await db.consent_drop.deleteMany();
  await db.tombstone.deleteMany();
  return makeStream({ hashtag: "cats", instance: server.host, ...data });
}
const streamRow = (id: number) => db.stream.findUniqueOrThrow({ where: { id } });

async function fetchToEnd(id: number, query = "?limit=400") {
  for (let n = 0; n < 20; n++) {
    const answer = await fetchNow(id, query);
    expect(answer.status).toBe(200);
    if (answer.json.cursor_at_end) return;
  }
  throw new Error("never came to an end");
}

/** What of the server's posts may be kept, by its own words. */
function wanted(server: SimulatedServer): number {
  return server.control.posts.filter(
    (post) =>
      post.deleted === null &&
      post.visibility === "public" &&
      post.boost_of === null &&
      (post.can_announce !== false || server.software !== "gotosocial") &&
      !post.author.moved &&
      !post.author.suspended &&
      post.author.noindex !== true &&
      !/#no/i.test(post.author.bio + post.author.fields.map((field) => field.value).join(" ")) &&
      !post.hashtags.some((tag) => foldHashtag(tag) === "nobot") &&
      post.hashtags.some((tag) => foldHashtag(tag) === "cats"),
  ).length;
}

describe("the first fetch", () => {
  test("brings the newest posts up to the limit, and says how it went", async () => {
    const { id } = await freshStream(mastodon);
    const answer = await fetchNow(id, "?limit=7");
    expect(answer.status).toBe(200);
    const { json } = answer;
    expect(json).toMatchObject({ stream_id: id, new: 7, pages: 1, cursor_at_end: false });
    const dropped = Object.values(json.dropped).reduce((sum, n) => sum + n, 0);
    expect(json.seen).toBe(json.new + json.duplicates + dropped);

    const stored = await db.post.findMany({ where: { stream_id: id }, orderBy: { created_at: "desc" } });
    expect(stored).toHaveLength(7);
    expect(stored.every((post) => post.from_home === (post.instance === mastodon.host))).toBe(true);
    expect(stored.every((post) => post.classified_at !== null)).toBe(true);

    const row = await streamRow(id);
    expect(row).toMatchObject({ platform: "mastodon", last_error: null, error_count: 0, fetch_lease: null });
    expect(row.last_fetch).not.toBeNull();
    const minutes = ((row.next_scheduled_fetch?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(56);
    expect(minutes).toBeLessThan(64);
    expect(await db.fetch_run.findMany({ where: { stream_id: id } })).toMatchObject([
      { seen: json.seen, new: 7, pages: 1, error: null, dropped: json.dropped },
    ]);
  });

  test("every further call makes progress, until all is there that may be kept", async () => {
    const { id } = await freshStream(mastodon);
    for (let end = false; !end;) {
      const { json } = await fetchNow(id, "?limit=30");
      end = json.cursor_at_end;
      if (!end) expect(json.new).toBe(30);
    }
    expect(await db.post.count()).toBe(wanted(mastodon));
    expect(await fetchNow(id)).toMatchObject({ json: { new: 0, cursor_at_end: true } });
  });

  test.each(["0", "401", "-1", "abc", "1e2", ""])("limit=%s is a 422", async (limit) => {
    const { id } = await makeStream();
    expect((await fetchNow(id, `?limit=${limit}`)).status).toBe(422);
  });
});

describe("who is not fetched", () => {
  test("an unknown stream, an inactive one, one that is being fetched", async () => {
    expect(await fetchNow(999_999)).toMatchObject({
      status: 404,
      json: { detail: "Stream 999999 not found" },
    });
    expect(await fetchNow("abc")).toMatchObject({ status: 404, json: { detail: "Stream abc not found" } });
    const inactive = await makeStream({ active: false });
    expect(await fetchNow(inactive.id)).toMatchObject({
      status: 409,
      json: { detail: `Stream ${inactive.id} is inactive` },
    });
    const busy = await makeStream();
    await db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + interval '1 minute' WHERE id = ${busy.id}`;
    expect((await fetchNow(busy.id)).status).toBe(409);
  });

  test("a lease that its run did not give back ends by itself", async () => {
    const { id } = await freshStream(mastodon);
    await db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() - interval '1 second' WHERE id = ${id}`;
    expect((await fetchNow(id, "?limit=1")).status).toBe(200);
  });

  test("of two at the same moment one", async () => {
    const { id } = await freshStream(mastodon);
    const answers = await Promise.all([fetchNow(id, "?limit=1"), fetchNow(id, "?limit=1")]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  test("without the scope manage", async () => {
    const reader = await makeKey({ scopes: ["read"] });
    const answer = await call(fetchRoute.POST, {
      method: "POST",
      path: "/api/v1/streams/1/fetch",
      params: { id: "1" },
      key: reader,
    });
    expect(answer.status).toBe(403);
  });
});

describe("what arrives later", () => {
  test("is read without a gap, however much came", async () => {
    const { id } = await freshStream(mastodon);
    await fetchToEnd(id);
    mastodon.control.arrive(95);
    await fetchToEnd(id, "?limit=50");
    expect(await db.post.count()).toBe(wanted(mastodon));
  });

  test("is found below the cursor too", async () => {
    const { id } = await freshStream(mastodon);
    await fetchToEnd(id);
    mastodon.control.addPost({ created_at: new Date(Date.now() - 4 * 3_600_000), hashtags: ["cats"] });
    expect(await fetchNow(id)).toMatchObject({ json: { new: 1 } });
    expect(await db.post.count()).toBe(wanted(mastodon));
  });

  test("an edit at the source withdraws an approval, an opt-out takes the posts away", async () => {
    const { id } = await freshStream(mastodon);
    const edited = mastodon.control.addPost({ hashtags: ["cats"] }, "text");
    const leaving = mastodon.control.addPost({ hashtags: ["cats"] }, "text");
    await fetchNow(id, "?limit=10");
    const find = (post: typeof edited) => db.post.findFirst({ where: { uri: { contains: post.id } } });
    await db.post.updateMany({ data: { approved: true, reviewed_at: new Date(), approved_at: new Date() } });
    mastodon.control.editPost(edited.id, ["Something else"]);
    mastodon.control.optOut(leaving.author.username);
    await fetchNow(id, "?limit=1");
    expect(await find(leaving)).toBeNull();
    const after = await find(edited);
    if (edited.author !== leaving.author) expect(after?.plain_text).toContain("Something else");
    leaving.author.bio = leaving.author.bio.replace(/ ?#nobot/, "");
  });

  test("a post that two servers show is one post with two sightings", async () => {
    const [pleroma] = others;
    if (pleroma === undefined) throw new Error("no second server");
    const { id } = await freshStream(mastodon);
    const there = await freshStream(pleroma);
    const shared = mastodon.control.addPost({ hashtags: ["cats"], created_at: new Date() }, "text");
    pleroma.control.receive(mastodon, [shared]);
    await fetchNow(there.id, "?limit=5");
    await fetchNow(id, "?limit=5");
    const post = await db.post.findFirstOrThrow({ where: { uri: { contains: shared.id } } });
    expect(post).toMatchObject({ stream_id: there.id, instance: mastodon.host, from_home: true });
    expect(await db.sighting.count({ where: { post_id: post.id } })).toBe(2);
  });
});

describe("what goes wrong over there", () => {
  test.each([
    ["500", faults.serverError(), 502],
    ["a web page", { kind: "html" } as const, 502],
    ["broken JSON", { kind: "invalid_json" } as const, 502],
    ["another shape", { kind: "wrong_shape" } as const, 502],
    ["a cut connection", { kind: "drop" } as const, 502],
    ["401", faults.unauthorized(), 502],
    ["422 for anonymous readers", faults.needsUser(), 502],
    ["404", faults.notFound(), 502],
    ["429", faults.tooManyRequests(), 502],
    ["no answer", { kind: "stall" } as const, 504],
  ])("%s is told in one sentence and kept on the stream", async (_name, fault, expected) => {
    const { id } = await freshStream(mastodon);
    mastodon.control.failNext(fault);
    const answer = await fetchNow(id);
    expect(answer.status).toBe(expected);
    const { detail } = answer.json as unknown as { detail: string };
    expect(detail).toMatch(/^[^\n]{10,200}\.$/);
    const row = await streamRow(id);
    expect(row).toMatchObject({ last_error: detail, error_count: 1, fetch_lease: null, last_fetch: null });
    expect(row.last_check).not.toBeNull();
    expect(await db.post.count()).toBe(0);
    expect(await db.fetch_run.findFirst({ where: { stream_id: id } })).toMatchObject({ error: detail });
    await db.host_state.updateMany({ data: { state: {} } });
    expect((await fetchNow(id, "?limit=1")).status).toBe(200);
    expect(await streamRow(id)).toMatchObject({ last_error: null, error_count: 0 });
  });

  test("a host that asked us to wait is not asked: 503 with Retry-After", async () => {
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

  test("nor is one whose circuit is open", async () => {
    const { id } = await freshStream(mastodon);
    const state = {
      ...newHostState(),
      failures: 6,
      wait_until: Date.now() + 60_000,
      wait_reason: "circuit_open",
    };
    await db.host_state.upsert({
      where: { host: mastodon.host },
      create: { host: mastodon.host, state },
      update: { state },
    });
    const before = mastodon.control.requests.length;
    expect((await fetchNow(id)).status).toBe(503);
    expect(mastodon.control.requests.length).toBe(before);
  });

  test("errors in a row are asked about less and less often", async () => {
    const { id } = await freshStream(mastodon);
    const pauses: number[] = [];
    for (let n = 0; n < 3; n++) {
      mastodon.control.failNext(faults.notFound());
      await fetchNow(id);
      pauses.push(((await streamRow(id)).next_scheduled_fetch?.getTime() ?? 0) - Date.now());
    }
    const minutes = pauses.map((ms) => Math.round(ms / 60_000));
    expect(minutes[0]).toBe(5);
    expect(minutes[1]).toBeGreaterThanOrEqual(9);
    expect(minutes[2]).toBeGreaterThanOrEqual(19);
  });

  test("a page that fails in the middle: the pages before stay, the cursor stands behind them, nothing is lost", async () => {
    const { id } = await freshStream(mastodon);
    mastodon.control.failNext({ kind: "slow", ms: 0 });
    mastodon.control.failNext(faults.serverError());
    expect((await fetchNow(id, "?limit=400")).status).toBe(502);
    const stored = await db.post.count();
    expect(stored).toBeGreaterThan(10);
    const { cursor } = await streamRow(id);
    expect(cursor).toMatchObject({ backfill: { at: expect.any(String) as string } });
    expect(await db.fetch_run.findFirst({ where: { stream_id: id } })).toMatchObject({
      pages: 1,
      new: stored,
    });

    await db.host_state.updateMany({ data: { state: {} } });
    // The same page fails again: the cursor does not move.
    mastodon.control.failNext({ kind: "slow", ms: 0 });
    mastodon.control.failNext(faults.notFound());
    expect((await fetchNow(id, "?limit=400")).status).toBe(502);
    expect((await streamRow(id)).cursor).toMatchObject({
      backfill: (cursor as { backfill: object }).backfill,
    });
    await fetchToEnd(id);
    expect(await db.post.count()).toBe(wanted(mastodon));
  });

  test("a post that the database refuses is passed over, the rest of its page is stored", async () => {
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const { id } = await freshStream(mastodon);
    const poison = mastodon.control.addPost({ hashtags: ["cats"] }, "text");
    await db.$executeRawUnsafe(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.uri LIKE '%${poison.id}' THEN RAISE EXCEPTION 'poison'; END IF; RETURN NEW; END $$`);
    await db.$executeRaw`CREATE TRIGGER refuse BEFORE INSERT ON post FOR EACH ROW EXECUTE FUNCTION refuse()`;
    const answer = await fetchNow(id, "?limit=400");
    await db.$executeRaw`DROP TRIGGER refuse ON post`;
    expect(answer).toMatchObject({ status: 200, json: { cursor_at_end: true, dropped: { unreadable: 1 } } });
    expect(await db.post.count()).toBe(wanted(mastodon) - 1);
    expect(logged).toHaveBeenCalled();
    expect(await fetchNow(id)).toMatchObject({ json: { new: 1 } });
  });

  test("a run that lost its lease stores nothing more", async () => {
    const { id } = await freshStream(mastodon);
    mastodon.control.failNext({ kind: "slow", ms: 600 });
    const running = fetchNow(id, "?limit=400");
    await expect.poll(async () => (await db.fetch_run.count({ where: { stream_id: id } })) > 0).toBe(true);
    await db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + interval '1 minute' WHERE id = ${id}`;
    expect((await running).status).toBe(409);
    expect(await db.post.count()).toBe(0);
    expect((await streamRow(id)).cursor).toEqual({});
  });

  test("a stream deleted while it is fetched", async () => {
    const { id } = await freshStream(mastodon);
    mastodon.control.failNext({ kind: "slow", ms: 600 });
    const running = fetchNow(id);
    await expect.poll(async () => (await db.fetch_run.count({ where: { stream_id: id } })) > 0).toBe(true);
    await db.stream.delete({ where: { id } });
    expect((await running).status).toBe(404);
    expect(await db.post.count()).toBe(0);
  });

  test("a client that hangs up changes nothing", async () => {
    const { id } = await freshStream(mastodon);
    mastodon.control.failNext({ kind: "slow", ms: 300 });
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
});

describe("other software", () => {
  test.each([
    ["pleroma", 0],
    ["misskey", 2],
  ] as const)("%s is read to its end", async (_software, index) => {
    const server = others[index];
    if (server === undefined) throw new Error("no such server");
    const { id } = await freshStream(server);
    await fetchToEnd(id);
    expect((await streamRow(id)).platform).toBe(server.software);
    const first = await db.post.count();
    expect(first).toBeGreaterThan(30);
    server.control.addPost({ hashtags: ["cats"] }, "text");
    expect(await fetchNow(id)).toMatchObject({ json: { new: 1, cursor_at_end: true } });
  });

  test("a server that asks for a token: set once, encrypted, never shown", async () => {
    const pixelfed = others[1];
    if (pixelfed === undefined) throw new Error("no such server");
    for (const server of [gotosocial, pixelfed]) {
      const { id } = await freshStream(server);
      expect((await fetchNow(id)).status).toBe(502);
      expect((await streamRow(id)).last_error).toMatch(/token/);
      const set = (token: string | null, host = server.host) =>
        call(tokenRoute.PUT, {
          method: "PUT",
          path: `/api/v1/hosts/${encodeURIComponent(host)}/token`,
          params: { host },
          key,
          body: { token },
        });
      expect((await set("let-me-in")).status).toBe(204);
      const { token } = await db.host_state.findUniqueOrThrow({ where: { host: server.host } });
      expect(Buffer.from(token ?? []).toString("latin1")).not.toContain("let-me-in");
      expect((await fetchNow(id, "?limit=5")).json.new).toBeGreaterThan(0);
      expect((await set("10.0.0.1", "10.0.0.1")).status).toBe(422);
      expect((await set(null)).status).toBe(204);
      expect((await fetchNow(id)).status).toBe(502);
      const lines = await db.audit_event.findMany({ where: { subject: server.host } });
      expect(JSON.stringify(lines.map(({ id: _id, ...line }) => line))).not.toContain("let-me-in");
    }
  });

  test("the software is asked for once a day", async () => {
    const { id } = await freshStream(mastodon);
    await fetchNow(id, "?limit=1");
    const before = mastodon.control.hits("nodeinfo");
    await fetchNow(id, "?limit=1");
    expect(mastodon.control.hits("nodeinfo")).toBe(before);
    await db.$executeRaw`UPDATE host_state SET software_at = now() - interval '25 hours'`;
    await fetchNow(id, "?limit=1");
    expect(mastodon.control.hits("nodeinfo")).toBeGreaterThan(before);
  });
});
