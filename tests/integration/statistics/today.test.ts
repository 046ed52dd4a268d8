import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readFlow } from "#app/(console)/home-facts.ts";
import { countDecidedToday } from "#lib/review/log.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { makeMember, makePost } from "#tests/setup/factories.ts";
import { forgetEverything } from "./stats-moves.ts";

vi.hoisted(() => (process.env.TIME_ZONE = "America/Sao_Paulo"));

/* One "today" for every count: the day in TIME_ZONE. */

beforeAll(async () => {
  await forgetEverything();
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T03:01:00Z") });
});
afterAll(() => vi.useRealTimers());

test("a minute after midnight in São Paulo nothing of the evening before is today's", async () => {
  const member = await makeMember("reviewer");
  const evening = new Date("2026-11-20T02:30:00Z");
  for (const approved of [true, false, null])
    await makePost({
      fetched_at: evening,
      approved,
      ...(approved === null
        ? {}
        : { reviewed_at: evening, reviewed_by_member: member.id, reviewed_by: member.name }),
    });
  const { today } = await readFlow();
  expect([today.arrivals, today.decided]).toEqual([0, 0]);
  expect(await countDecidedToday(member.id)).toBe(0);
  const { days } = await getOverview(2);
  expect(days.map(({ date, fetched, decided }) => [date, fetched, decided])).toEqual([
    ["2026-11-19", 3, 2],
    ["2026-11-20", 0, 0],
  ]);
});
