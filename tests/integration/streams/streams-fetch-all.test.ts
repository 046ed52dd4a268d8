import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as fetchAllHashtags from "#app/api/v1/hashtags/fetch-all/route.ts";
import * as fetchAll from "#app/api/v1/streams/fetch-all/route.ts";
import { db } from "#lib/base/db.ts";
import { claimDueStream } from "#lib/collect/fetch-sql.ts";
import { fetchDueStream } from "#lib/collect/fetch-streams.ts";
import type { FetchAllResult } from "#lib/collect/stream-schema.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { faults } from "#tests/simulated-server/server.ts";

const { one, two } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({
    one: { posts: 20, hashtags: ["cats", "dogs"], seed: 1 },
    two: { posts: 20, hashtags: ["cats", "dogs"], seed: 2 },
  }),
);

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
beforeEach(async () => {
  await db.stream.deleteMany();
  await db.host_state.updateMany({ data: { state: {} } });
  one.control.clearFaults();
  two.control.clearFaults();
});

const run = (query = "", handler = fetchAll.POST) =>
  call<FetchAllResult>(handler, { method: "POST", path: `/api/v1/streams/fetch-all${query}`, key });
const lasting = () => new Date(Date.now() + 60_000);

describe("fetching all", () => {
  test("returns the result or error of every active stream", async () => {
    const cats = await makeStream({ hashtag: "cats", instance: one.host });
    const dogs = await makeStream({ hashtag: "dogs", instance: one.host, enable_scheduling: false });
    const failing = await makeStream({ hashtag: "cats", instance: two.host });
    await makeStream({ hashtag: "dogs", instance: two.host, active: false });
    two.control.fail(faults.forbidden());
    const { status, json } = await run();
    expect(status).toBe(200);
    expect(json.streams.map((item) => item.stream_id)).toEqual([cats.id, dogs.id, failing.id]);
    expect(json.streams.map((item) => item.error !== undefined)).toEqual([false, false, true]);
    expect(json).toMatchObject({ errors: 1, pending: 0 });
    expect(json.new).toBe(json.streams.reduce((sum, item) => sum + item.new, 0));
    expect(json.new).toBeGreaterThan(0);
    const rows = await db.stream.findMany({ orderBy: { id: "asc" } });
    expect(rows.map((row) => row.last_fetch !== null)).toEqual([true, true, false, false]);
    expect(rows.map((row) => row.next_scheduled_fetch !== null)).toEqual([true, false, true, false]);
  });

  test("wait=0 answers at once and leaves all streams due", async () => {
    const later = new Date(Date.now() + 3_600_000);
    const scheduled = await makeStream({ hashtag: "cats", instance: one.host, next_scheduled_fetch: later });
    const unscheduled = await makeStream({ hashtag: "dogs", instance: one.host, enable_scheduling: false });
    const before = one.control.requests.length;
    const answer = await run("?wait=0", fetchAllHashtags.POST);
    expect([answer.status, answer.json]).toEqual([200, { streams: [], new: 0, errors: 0, pending: 2 }]);
    expect(one.control.requests.length).toBe(before);
    const fetched = [
      await fetchDueStream({ limit: 3, deadline: lasting() }),
      await fetchDueStream({ limit: 3, deadline: lasting() }),
      await fetchDueStream({ limit: 3, deadline: lasting() }),
    ];
    expect(fetched).toEqual([scheduled.id, unscheduled.id, null]);
  });

  test("counts streams fetched by another process as pending", async () => {
    const busy = await makeStream({ hashtag: "cats", instance: one.host });
    await db.$executeRaw`UPDATE stream SET fetch_lease = gen_random_uuid(), fetch_lease_until = now() + interval '1 minute' WHERE id = ${busy.id}`;
    expect((await run()).json).toEqual({ streams: [], new: 0, errors: 0, pending: 1 });
  });
});

describe("claims", () => {
  test("parallel workers claim different streams, each once", async () => {
    const due = new Date(Date.now() - 60_000);
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        makeStream({ instance: `host${n}.example`, next_scheduled_fetch: new Date(due.getTime() + n) }),
      ),
    );
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimDueStream()));
    const ids = claims.flatMap((claim) => claim?.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    // A worker that met a locked row may have returned null.
    while (ids.length < 6) {
      const next = await claimDueStream();
      if (next === null) break;
      ids.push(next.id);
    }
    expect(new Set(ids)).toEqual(new Set(made.map((stream) => stream.id)));
    expect(await claimDueStream()).toBeNull();
  });

  test("claims the longest due stream, none of a busy host, inactive, unscheduled or not due", async () => {
    const past = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const second = await makeStream({ instance: "b.example", next_scheduled_fetch: past(5) });
    const first = await makeStream({ instance: "a.example", next_scheduled_fetch: past(10) });
    const sameHost = await makeStream({ instance: "a.example", next_scheduled_fetch: past(9) });
    await makeStream({ instance: "c.example", active: false, next_scheduled_fetch: past(20) });
    await makeStream({ instance: "d.example", next_scheduled_fetch: new Date(Date.now() + 60_000) });
    await makeStream({ instance: "e.example", enable_scheduling: false });
    expect((await claimDueStream())?.id).toBe(first.id);
    expect((await claimDueStream())?.id).toBe(second.id);
    expect(await claimDueStream()).toBeNull();
    await db.stream.update({ where: { id: first.id }, data: { fetch_lease_until: past(1) } });
    // The lease of a dead run has expired, so it comes first.
    expect((await claimDueStream())?.id).toBe(first.id);
    await db.stream.delete({ where: { id: first.id } });
    expect((await claimDueStream())?.id).toBe(sameHost.id);
  });
});
