import { expect, it } from "vitest";
import { PATCH as review } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/db.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { getOverview, getToday } from "#lib/stats/get-overview.ts";
import { listWaitingHosts } from "#lib/hosts/host-state.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

it("shows the day as the statistics do, with keys and undone decisions", async () => {
  const [me, other] = [await makeMember("reviewer"), await makeMember("reviewer")];
  const headers = await sessionHeaders(me);
  const decide = async (approved: boolean | null, id: number, who: object = { headers }) => {
    const answer = await call(review, {
      method: "PATCH",
      path: `/api/v1/posts/${id}`,
      params: { id: String(id) },
      body: { approved },
      ...who,
    });
    expect(answer.status).toBe(200);
  };
  const posts = await Promise.all(Array.from({ length: 6 }, () => makePost()));
  const ids = posts.map((post) => post.id) as [number, number, number, number, number, number];
  await decide(true, ids[0]);
  await decide(true, ids[1]);
  await decide(false, ids[2]);
  await decide(false, ids[3], { key: await makeKey({ role: "reviewer", created_by: me.id }) });
  await decide(true, ids[4], { headers: await sessionHeaders(other) });
  await decide(true, ids[5]);
  await decide(null, ids[5]);

  const { totals } = await getOverview(1);
  expect(await getToday()).toMatchObject({ arrivals: 6, decided: 5, approved: 3 });
  expect(totals).toMatchObject({ fetched: 6, decided: 5, approved: 3 });
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
