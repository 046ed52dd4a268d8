import { expect, it } from "vitest";
import { PATCH as review } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/db.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { getTeamPace } from "#lib/stats/team-pace.ts";
import { listUpcomingPosts } from "#lib/posts/upcoming-posts.ts";
import { listWaitingHosts } from "#lib/hosts/host-state.ts";
import { makeKey, makeMember, makePending, makePost, picture } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

const today = () => new Date().toISOString().slice(0, 10);

it("shows the pace of reviewers as in the statistics, with keys and undone decisions", async () => {
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

  const pace = await getTeamPace(today());
  const { reviewers } = await getOverview({ from: today(), to: today() });
  const lineOf = (line: { member_id: number | null; reviewer: string }) =>
    `${line.member_id} ${line.reviewer}`;
  const expected = new Map(reviewers.map((line) => [lineOf(line), line.reviewed]));
  expect(expected.size).toBe(3);
  for (const line of pace.reviewers)
    expect([line.today, line.week, line.last_hour]).toEqual(Array(3).fill(expected.get(lineOf(line))));
  expect(pace.reviewers.map(lineOf).sort()).toEqual([...expected.keys()].sort());
  expect(pace.days.at(-1)).toEqual(pace.today);
  expect(pace.today).toMatchObject({ date: today(), arrivals: 6, filtered: 0, decisions: 5, approved: 3 });
});

it("counts a week as the present day and the six before, and an hour by the clock", async () => {
  const { id } = await makeMember("reviewer");
  const day = "2026-03-10";
  for (const [before, reviews] of [
    [-1, 1000],
    [0, 1],
    [6, 10],
    [7, 100],
  ])
    await db.$executeRaw`INSERT INTO figure (dimension, grain, key, metric, at, bucket, n)
      VALUES ('reviewer', 'day', ${`${id}:Ann`}, 'approved', ${day}::date - ${before}::int, -1, ${reviews}::int)`;
  for (const [minutes, rule] of [
    [10, null],
    [50, null],
    [70, null],
    [20, "a filter"],
  ] as const) {
    const post = await makePost();
    await db.post.update({
      where: { id: post.id },
      data: {
        approved: false,
        reviewed_at: new Date(Date.now() - minutes * 60_000),
        reviewed_by: "Ann",
        reviewed_by_member: id,
        auto_reject_reason: rule,
      },
    });
  }
  const { reviewers, days } = await getTeamPace(day);
  expect(reviewers).toEqual([{ member_id: id, reviewer: "Ann", last_hour: 2, today: 1, week: 11, days: 1 }]);
  expect(days.map(({ date }) => date)).toEqual([
    "2026-03-04",
    "2026-03-05",
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
    "2026-03-09",
    "2026-03-10",
  ]);
});

it("shows the next posts in delivery order, covered where their authors marked them", async () => {
  const media = [picture()];
  const marked = await makePending({ media, sensitive: true }, new Date(Date.now() - 2000));
  const plain = await makePending({ media }, new Date(Date.now() - 3000));
  const bare = await makePending({}, new Date(Date.now() - 1000));
  const ids = [plain.id, marked.id, bare.id];
  const shown = (await listUpcomingPosts(20)).filter(({ post_id }) => ids.includes(post_id));
  expect(shown.map((post) => [post.post_id, post.media_attachments.length, post.media_covered])).toEqual([
    [plain.id, 1, false],
    [marked.id, 1, true],
    [bare.id, 0, false],
  ]);
  expect(await listUpcomingPosts(1)).toHaveLength(1);
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
