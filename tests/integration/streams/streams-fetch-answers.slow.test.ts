import { afterAll, afterEach, expect, test, vi } from "vitest";
import { GET as runs } from "#app/api/v1/streams/[id]/runs/route.ts";
import { GET as one } from "#app/api/v1/streams/[id]/route.ts";
import { GET as all } from "#app/api/v1/streams/route.ts";
import { db } from "#lib/db.ts";
import type { FetchRun, Stream } from "#lib/streams/schema.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { faults, type Fault } from "#tests/simulated-server/server.ts";
import { fetchNow, fetchToEnd, freshStream, skipPauses, streamRow, wanted } from "./stream-fetches.ts";

skipPauses();

/* Answers and stream states after failures of the remote server; lib/fediverse/hashtag-source.test.ts has all failures. */

// Before any module reads the settings.
const { mastodon, closed } = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const server = await startSimulatedServer({ posts: 100, hashtags: ["cats"] });
  const gone = await startSimulatedServer({ posts: 1, hashtags: ["cats"] });
  await gone.close();
  process.env.ALLOWED_PRIVATE_HOSTS = `${server.origin},${gone.origin}`;
  return { mastodon: server, closed: gone.host };
});

afterEach(async () => {
  mastodon.control.clearFaults();
  await db.host_state.updateMany({ data: { state: {} } });
});
afterAll(() => mastodon.close());

const key = await makeKey({ scopes: ["read"] });
const at = (id: number) => ({ path: `/api/v1/streams/${id}`, params: { id: String(id) }, key });

async function expectShown(id: number, detail: string): Promise<Stream> {
  const shown = (await call<Stream>(one, at(id))).json;
  expect(shown.last_error).toBe(detail);
  expect(Date.now() - Date.parse(shown.last_check ?? "")).toBeLessThan(60_000);
  const listed = await call<{ items: Stream[] }>(all, { path: "/api/v1/streams?limit=1000", key });
  expect(listed.json.items.find((stream) => stream.id === id)).toEqual(shown);
  const { items } = (await call<{ items: FetchRun[] }>(runs, at(id))).json;
  expect(items[0]).toMatchObject({ error: detail, new: 0, finished_at: expect.any(String) as string });
  return shown;
}

const minutesUntil = (time: string | null) => (Date.parse(time ?? "") - Date.now()) / 60_000;

const host = mastodon.host;
const cases: [name: string, fault: Fault, status: number, detail: string, minutes?: [number, number]][] = [
  [
    "429 with a short Retry-After",
    faults.tooManyRequests(30),
    502,
    `${host} says that it was asked too often (429).`,
  ],
  [
    "429 with a long Retry-After",
    faults.tooManyRequests(7200),
    502,
    `${host} says that it was asked too often (429).`,
    [119, 121],
  ],
  ["404", faults.notFound(), 502, `${host} does not know the hashtag #cats (404).`],
  ["503 with Retry-After", faults.unavailable(7200), 502, `${host} is in trouble (503).`, [119, 121]],
  ["a body that stops", { kind: "stall_body" }, 504, `${host} did not answer in time.`],
];

test.each(cases)(
  "%s",
  async (_name, fault, status, detail, [earliest, latest] = [4, 6]) => {
    const { id } = await freshStream(mastodon);
    expect((await fetchNow(id, "?limit=5")).status).toBe(200);
    const before = await streamRow(id);
    mastodon.control.fail(fault);
    const answer = await fetchNow(id);
    mastodon.control.clearFaults();
    expect([answer.status, answer.json]).toMatchObject([status, { detail }]);
    const shown = await expectShown(id, detail);
    const minutes = minutesUntil(shown.next_scheduled_fetch);
    expect(minutes).toBeGreaterThan(earliest);
    expect(minutes).toBeLessThan(latest);
    const after = await streamRow(id);
    expect(after).toMatchObject({ error_count: 1, fetch_lease: null });
    expect(after.cursor).toEqual(before.cursor);
    expect(after.last_fetch).toEqual(before.last_fetch);
    expect(await db.post.count()).toBe(5);
    await db.host_state.updateMany({ data: { state: {} } });
    await fetchToEnd(id);
    expect(await db.post.count()).toBe(wanted(mastodon));
    expect((await call<Stream>(one, at(id))).json.last_error).toBeNull();
  },
  60_000,
);

test("a refused connection", async () => {
  const { id } = await makeStream({ hashtag: "cats", instance: closed });
  const answer = await fetchNow(id);
  const { detail } = answer.json as unknown as { detail: string };
  expect([answer.status, detail]).toEqual([502, `${closed} refused the connection.`]);
  const shown = await expectShown(id, detail);
  expect(minutesUntil(shown.next_scheduled_fetch)).toBeGreaterThan(4);
  expect(shown.last_fetch).toBeNull();
  expect((await streamRow(id)).cursor).toEqual({});
});
