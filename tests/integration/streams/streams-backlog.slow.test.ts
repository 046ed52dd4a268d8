import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { updateStream } from "#lib/collect/streams.ts";
import { claimDueStream, endRun, type ClaimedStream } from "#lib/collect/fetch-sql.ts";
import { makeStream } from "#tests/setup/factories.ts";

/* Streams that are behind are fetched again in a minute and delay no other stream. */

const MINUTE = 60_000;
const good: Parameters<typeof endRun>[2] = {
  error: null,
  failure: null,
  behind: false,
  retry_at: null,
  platform: null,
};
const end = (stream: ClaimedStream, how: Partial<typeof good>) =>
  db.$transaction((tx) => endRun(tx, stream, { ...good, ...how }));
const rows = () => db.stream.findMany({ orderBy: { id: "asc" } });
const minutesUntil = (at: Date | null) => ((at?.getTime() ?? NaN) - Date.now()) / MINUTE;

async function goOn(minutes: number): Promise<void> {
  await db.$executeRaw`UPDATE stream SET next_scheduled_fetch = next_scheduled_fetch - ${minutes} * interval '1 minute',
    last_check = last_check - ${minutes} * interval '1 minute', behind_since = behind_since - ${minutes} * interval '1 minute'`;
}

async function claimed(): Promise<ClaimedStream> {
  const stream = await claimDueStream();
  if (stream === null) throw new Error("No stream is due.");
  return stream;
}

beforeEach(async () => {
  await db.stream.deleteMany();
});

test("keeps the start of a backlog until a fetch has read everything, despite failures", async () => {
  const { id } = await makeStream({ next_scheduled_fetch: new Date() });
  const now = () => db.stream.findUniqueOrThrow({ where: { id } });
  await end(await claimed(), { behind: true });
  const since = (await now()).behind_since;
  expect(since).not.toBeNull();
  await db.stream.update({ where: { id }, data: { next_scheduled_fetch: new Date() } });
  await end(await claimed(), { behind: true });
  expect((await now()).behind_since).toEqual(since);
  await db.stream.update({ where: { id }, data: { next_scheduled_fetch: new Date() } });
  await end(await claimed(), { behind: true, error: "is in trouble (503)." });
  expect((await now()).behind_since).toEqual(since);
  expect(minutesUntil((await now()).next_scheduled_fetch)).toBeGreaterThan(4);
  await db.stream.update({ where: { id }, data: { next_scheduled_fetch: new Date() } });
  await end(await claimed(), {});
  expect((await now()).behind_since).toBeNull();
});

test("has no due fetch without a schedule, and no backlog after a source change", async () => {
  const { id } = await makeStream({ next_scheduled_fetch: new Date(), enable_scheduling: false });
  await end(await claimed(), { behind: true });
  const row = await db.stream.findUniqueOrThrow({ where: { id } });
  expect([row.next_scheduled_fetch, row.behind_since === null]).toEqual([null, false]);
  await updateStream(servicePrincipal, id, { hashtag: "another" });
  expect((await db.stream.findUniqueOrThrow({ where: { id } })).behind_since).toBeNull();
});

test("law: due streams do not wait for a stream with a backlog, and none is fetched twice a minute", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ endless: fc.boolean(), interval: fc.integer({ min: 5, max: 30 }) }), {
        minLength: 2,
        maxLength: 6,
      }),
      fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 6 }), room: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 5,
        maxLength: 25,
      }),
      async (kinds, steps) => {
        await db.stream.deleteMany();
        const endless = new Map<number, boolean>();
        for (const [n, kind] of kinds.entries()) {
          const { id } = await makeStream({
            instance: `host${n}.example`,
            fetch_interval_minutes: kind.interval,
            next_scheduled_fetch: new Date(),
          });
          endless.set(id, kind.endless);
        }
        for (const { minutes, room } of steps) {
          for (let n = 0; n < room; n++) {
            const before = new Map((await rows()).map((row) => [row.id, row]));
            const stream = await claimDueStream();
            if (stream === null) break;
            const row = before.get(stream.id);
            if (row?.last_check != null) {
              expect(Date.now() - row.last_check.getTime()).toBeGreaterThan(0.94 * MINUTE);
            }
            const regular = (each: typeof row) =>
              each?.behind_since == null || each.last_check === null
                ? -Infinity
                : each.last_check.getTime() + each.fetch_interval_minutes * MINUTE;
            // An early stream does not displace a due one.
            if (regular(row) > Date.now()) {
              const waiting = [...before.values()].filter(
                (other) =>
                  other.id !== stream.id &&
                  (other.next_scheduled_fetch?.getTime() ?? Infinity) <= Date.now() - 50 &&
                  regular(other) <= Date.now() - 50,
              );
              expect(waiting.map((other) => other.id)).toEqual([]);
            }
            await end(stream, { behind: endless.get(stream.id) ?? false });
            const after = await db.stream.findUniqueOrThrow({ where: { id: stream.id } });
            // The schedule varies by a twentieth; the rest is the test's own time.
            const pause = minutesUntil(after.next_scheduled_fetch);
            const whole = endless.get(stream.id) ? 1 : after.fetch_interval_minutes;
            expect(pause).toBeLessThan(1.06 * whole);
            expect(pause).toBeGreaterThan(0.9 * whole);
          }
          await goOn(minutes);
        }
      },
    ),
    { numRuns: 15 },
  );
});
