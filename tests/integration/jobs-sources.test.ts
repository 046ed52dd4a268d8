import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/db.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import { applyLook } from "#lib/ingest/apply-look.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { checkSources } from "#lib/streams/check-sources.ts";
import { fetchStream } from "#lib/streams/fetch-streams.ts";
import { claimSources } from "#lib/streams/sources-sql.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { faults, type SimPost } from "#tests/simulated-server/server.ts";

const server = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const started = await startSimulatedServer({ posts: 0, hashtags: ["cats"] });
  process.env.ALLOWED_PRIVATE_HOSTS = started.origin;
  return started;
});
const { control } = server;
afterAll(() => server.close());

beforeEach(async () => {
  await db.stream.deleteMany();
  await db.post.deleteMany();
});
afterEach(async () => {
  control.clearFaults();
  await db.host_state.updateMany({ data: { state: {} } });
});

const check = () => checkSources({ deadline: new Date(Date.now() + 20_000) });
const byId = (id: number) => db.post.findUniqueOrThrow({ where: { id } });
const entryOf = (id: number) => db.queue_entry.findUnique({ where: { post_id: id } });
const lastLine = (id: number) => db.post_event.findFirst({ where: { post_id: id }, orderBy: { id: "desc" } });
const age = (hours: number) =>
  db.$executeRaw`UPDATE post SET fetched_at = fetched_at - ${hours} * interval '1 hour',
    source_checked_at = source_checked_at - ${hours} * interval '1 hour',
    source_missing_at = source_missing_at - ${hours} * interval '1 hour'`;

async function waiting(): Promise<{ id: number; source: SimPost }> {
  const source = control.addPost({ hashtags: ["cats"] }, "text");
  const stream =
    (await db.stream.findFirst({ where: { instance: server.host } })) ??
    (await makeStream({ hashtag: "cats", instance: server.host }));
  await fetchStream(stream.id, { limit: 400 });
  const { id } = await db.post.findFirstOrThrow({ where: { uri: { endsWith: `/${source.id}` } } });
  const at = new Date();
  await db.post.update({ where: { id }, data: { approved: true, reviewed_at: at, approved_at: at } });
  await db.$transaction((tx) => enqueuePosts(tx, [id], at));
  await db.post.deleteMany({ where: { id: { not: id }, approved: null } });
  await age(7);
  return { id, source };
}

describe("checkSources", () => {
  test("leaves an unchanged post alone and does not check it again for hours", async () => {
    const { id } = await waiting();
    expect(await check()).toEqual({ checked: 1 });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
    expect((await byId(id)).source_checked_at).not.toBeNull();
    expect(await check()).toEqual({ checked: 0 });
    await age(7);
    expect(await check()).toEqual({ checked: 1 });
  });

  test("returns an edited post to review with the difference", async () => {
    const { id, source } = await waiting();
    control.editPost(source.id, ["Something else"]);
    await check();
    expect(await byId(id)).toMatchObject({ approved: null });
    expect((await byId(id)).plain_text).toContain("Something else");
    expect((await byId(id)).classified_at).not.toBeNull();
    expect(await entryOf(id)).toBeNull();
    expect(await lastLine(id)).toMatchObject({
      action: "edit",
      from_state: "pending",
      to_state: "unreviewed",
    });
  });

  test("rejects a post as gone on 410", async () => {
    const { id, source } = await waiting();
    control.deletePost(source.id, "gone");
    await check();
    expect(await byId(id)).toMatchObject({ approved: false, auto_reject_reason: "gone" });
    expect(await entryOf(id)).toBeNull();
  });

  test("holds a post on 404 and rejects it as gone on another 404 after ten minutes", async () => {
    const { id, source } = await waiting();
    control.deletePost(source.id, "missing");
    await check();
    expect(await byId(id)).toMatchObject({ approved: true });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: holdBits.unverifiable });
    expect(await check()).toEqual({ checked: 0 });
    await age(0.2);
    await check();
    expect(await byId(id)).toMatchObject({ approved: false, auto_reject_reason: "gone" });
    expect(await lastLine(id)).toMatchObject({ action: "auto_reject", source: "filter", note: "gone" });
  });

  test("lifts the hold when the source is back after a 404", async () => {
    const { id, source } = await waiting();
    control.deletePost(source.id, "missing");
    await check();
    source.deleted = null;
    await age(0.2);
    await check();
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
    expect((await byId(id)).source_missing_at).toBeNull();
  });

  test("restarts the ten minutes when the source was back in between", async () => {
    const { id } = await waiting();
    const { uri } = await byId(id);
    const look = async (kind: "missing" | "present") => {
      await db.$transaction((tx) => applyLook(tx, uri, { kind }));
      return { approved: (await byId(id)).approved, holds: (await entryOf(id))?.holds };
    };
    const held = { approved: true, holds: holdBits.unverifiable };
    expect(await look("missing")).toEqual(held);
    await age(9 / 60);
    expect(await look("missing")).toEqual(held);
    expect(await look("present")).toEqual({ approved: true, holds: 0 });
    await age(1);
    expect(await look("missing")).toEqual(held);
    await age(10 / 60);
    expect(await look("missing")).toMatchObject({ approved: false });
  });

  test("rejects a post that is no longer public as withdrawn", async () => {
    const { id, source } = await waiting();
    control.setVisibility(source.id, "unlisted");
    await check();
    expect(await byId(id)).toMatchObject({ approved: false, auto_reject_reason: "withdrawn" });
    expect(await entryOf(id)).toBeNull();
  });

  test("holds a post that is now private and answers 404", async () => {
    const { id, source } = await waiting();
    control.setVisibility(source.id, "private");
    await check();
    expect(await entryOf(id)).toMatchObject({ holds: holdBits.unverifiable });
  });

  test.each([
    ["401", faults.unauthorized()],
    ["403", faults.forbidden()],
    ["500", faults.serverError()],
    ["a web page", { kind: "html" } as const],
  ])("%s: held as unverifiable, free again when it can be read", async (_name, fault) => {
    const { id } = await waiting();
    control.fail(fault, "status");
    await check();
    expect(await byId(id)).toMatchObject({ approved: true });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: holdBits.unverifiable });
    control.clearFaults();
    await db.host_state.updateMany({ data: { state: {} } });
    expect(await check()).toEqual({ checked: 0 });
    await age(1.1);
    await check();
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
  });

  test("lifts the hold when the post is seen on a timeline again", async () => {
    const { id } = await waiting();
    control.fail(faults.forbidden(), "status");
    await check();
    expect((await entryOf(id))?.holds).toBe(holdBits.unverifiable);
    control.clearFaults();
    const stream = await db.stream.findFirstOrThrow();
    await fetchStream(stream.id, { limit: 400 });
    expect((await entryOf(id))?.holds).toBe(0);
  });

  test("removes the post of an author who opted out and resolves the reported opt-out", async () => {
    const { id, source } = await waiting();
    const { author_key } = await byId(id);
    await db.reported_opt_out.create({
      data: { author_key, reason: "Author opts out of bot interaction (nobot)" },
    });
    control.optOut(source.author.username);
    await check();
    expect(await db.post.count({ where: { id } })).toBe(0);
    expect(await db.reported_opt_out.findUnique({ where: { author_key } })).toMatchObject({
      resolution: "confirmed",
    });
    source.author.bio = source.author.bio.replace(/ ?#nobot/, "");
  });

  test("leaves posts of a rate-limited host alone and checks them within the hour", async () => {
    const { id } = await waiting();
    const state = {
      ...newHostState(),
      failures: 6,
      wait_until: Date.now() + 60_000,
      wait_reason: "circuit_open",
    };
    await db.host_state.update({ where: { host: server.host }, data: { state } });
    const before = control.requests.length;
    expect(await check()).toEqual({ checked: 0 });
    expect(control.requests.length).toBe(before);
    expect(await entryOf(id)).toMatchObject({ holds: 0 });
    await db.host_state.updateMany({ data: { state: {} } });
    expect(await check()).toEqual({ checked: 0 });
    await age(1.1);
    expect(await check()).toEqual({ checked: 1 });
  });

  test("checks the other posts of that host as well", async () => {
    await waiting();
    const path = (n: number) => `${server.origin}/users/mira/statuses/${n}`;
    await Promise.all([1, 2].map((n) => makePending({ instance: server.host, uri: path(n) })));
    await age(7);
    const state = { ...newHostState(), wait_until: Date.now() + 60_000, wait_reason: "asked_to_wait" };
    await db.host_state.update({ where: { host: server.host }, data: { state } });
    expect(await check()).toEqual({ checked: 0 });
    await db.host_state.updateMany({ data: { state: {} } });
    await age(1.1);
    expect(await check()).toEqual({ checked: 3 });
  });

  test("checks the home server at once when a copy differs", async () => {
    const { id } = await waiting();
    await check();
    await db.post.update({
      where: { id },
      data: { from_home: false, plain_text: "A copy", content: "<p>A copy</p>", differs_since: new Date() },
    });
    await db.queue_entry.update({ where: { post_id: id }, data: { holds: holdBits.differs } });
    expect(await check()).toEqual({ checked: 1 });
    expect(await byId(id)).toMatchObject({ from_home: true, differs_since: null, approved: null });
  });
});

test("checkSources ignores reserved, failed, delivered and rejected posts", async () => {
  const { id } = await waiting();
  await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() WHERE post_id = ${id}`;
  expect(await check()).toEqual({ checked: 0 });
});

test("concurrent workers check each post once", async () => {
  const posts = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      makePending({ instance: `host${n}.invalid`, uri: `https://127.0.0.1/${n}` }),
    ),
  );
  await age(7);
  const results = await Promise.all([check(), check(), check()]);
  expect(results.reduce((sum, { checked }) => sum + checked, 0)).toBe(posts.length);
  expect(await db.queue_entry.count({ where: { holds: holdBits.unverifiable } })).toBe(posts.length);
});

describe("claimSources", () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const due = async () => (await claimSources(100)).map(({ id }) => id);

  test.each<[string, Parameters<typeof makePending>[0], boolean]>([
    ["waiting, looked at 7 hours ago", { source_checked_at: ago(7) }, true],
    ["waiting, looked at 5 hours ago", { source_checked_at: ago(5) }, false],
    ["not found, 11 minutes ago", { source_missing_at: ago(0.19), source_checked_at: ago(0.19) }, true],
    ["not found, 9 minutes ago", { source_missing_at: ago(0.15), source_checked_at: ago(0.15) }, false],
    [
      "not found for an hour, looked at a minute ago",
      { source_missing_at: ago(1), source_checked_at: ago(0.02) },
      false,
    ],
    ["differing since it was looked at", { differs_since: ago(1), source_checked_at: ago(2) }, true],
    ["differing, looked at since", { differs_since: ago(2), source_checked_at: ago(1) }, false],
    ["differing, looked at 7 hours ago", { differs_since: ago(9), source_checked_at: ago(7) }, true],
  ])("%s: %j", async (_case, data, isDue) => {
    const { id } = await makePending({ fetched_at: new Date(), ...data });
    expect(await due()).toEqual(isDue ? [id] : []);
  });

  test("does not claim rejected or reserved posts", async () => {
    const data = { source_missing_at: ago(1), source_checked_at: ago(1), differs_since: ago(0.5) };
    await makePost({ ...data, differs_since: null, approved: false, reviewed_at: ago(1) });
    const { id } = await makePending(data);
    await db.$executeRaw`
      UPDATE queue_entry SET state = 'delivered', delivered_at = now() WHERE post_id = ${id}`;
    expect(await due()).toEqual([]);
  });

  test("skips a locked post", async () => {
    const [one, other] = [await makePending(), await makePending()];
    await age(7);
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM post WHERE id = ${one.id} FOR UPDATE`;
      expect(await due()).toEqual([other.id]);
    });
    expect(await due()).toEqual([one.id]);
  });

  test("takes the remote id from a stream of the post's home server", async () => {
    const uri = "https://home.example/objects/uu-id";
    const { id } = await makePending({ instance: "home.example", uri });
    const [elsewhere, home] = await Promise.all(
      ["elsewhere.example", "home.example"].map((instance) => makeStream({ hashtag: "cats", instance })),
    );
    await db.sighting.create({
      data: { post_id: id, stream_id: elsewhere?.id ?? 0, remote_id: "theirs" },
    });
    await age(7);
    expect(await claimSources(1)).toMatchObject([{ id, home_id: null }]);
    await db.sighting.create({ data: { post_id: id, stream_id: home?.id ?? 0, remote_id: "ours" } });
    await age(7);
    expect(await claimSources(1)).toMatchObject([{ id, home_id: "ours" }]);
  });

  test("includes posts far behind the head of the queue", async () => {
    const head = Array.from({ length: 100 }, () => makePending({ source_checked_at: new Date() }, ago(2)));
    await Promise.all(head);
    const behind = await Promise.all(Array.from({ length: 5 }, () => makePending({ fetched_at: ago(7) })));
    await expect.poll(async () => (await due()).length).toBeGreaterThan(0);
    const looked = await db.post.count({
      where: { id: { in: behind.map(({ id }) => id) }, source_checked_at: { not: null } },
    });
    expect(looked).toBeGreaterThan(0);
  });
});
