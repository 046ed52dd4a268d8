import { expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { listWaitingHosts } from "#lib/fediverse/governed-request.ts";
import { getOverview, getToday } from "#lib/stats/get-overview.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

it("shows the day as the statistics do, without an undone decision", async () => {
  const send = sender({ key: await makeKey() });
  const posts = [await makePost(), await makePost(), await makePost()] as const;
  const decisions = [
    [posts[0], true],
    [posts[1], false],
    [posts[2], true],
    [posts[2], null],
  ] as const;
  for (const [{ id }, approved] of decisions) {
    expect((await send(`PATCH posts/${id}`, { approved })).status).toBe(200);
  }
  expect(await getToday()).toMatchObject({ arrivals: 3, decided: 2 });
  const { totals } = await getOverview(1);
  expect(totals).toMatchObject({ fetched: 3, decided: 2, approved: 1 });
});

it("lists paused hosts while they are paused", async () => {
  const soon = Date.now() + 90_000;
  const states = {
    "open.example": { wait_until: soon, wait_reason: "circuit_open" },
    "asked.example": { wait_until: soon, wait_reason: "asked_to_wait" },
    "brief.example": { wait_until: soon, wait_reason: "back_off" },
    "past.example": { wait_until: Date.now() - 1000, wait_reason: "circuit_open" },
    "well.example": {},
  } as const;
  for (const [host, state] of Object.entries(states)) {
    await db.host_state.create({ data: { host, state: { ...newHostState(), ...state } } });
  }
  await db.host_state.create({ data: { host: "new.example" } });
  expect(await listWaitingHosts()).toEqual([
    { host: "asked.example", until: new Date(soon).toISOString() },
    { host: "open.example", until: new Date(soon).toISOString() },
  ]);
});
