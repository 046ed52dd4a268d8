import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { applySourceCheck } from "#lib/collect/apply-source-check.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { claimSources } from "#lib/collect/check-sources.ts";
import { fetchStream } from "#lib/collect/fetch-streams.ts";
import { holdDoubtful } from "#lib/collect/ingest-sql.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { newHostState } from "#lib/fediverse/governor.ts";
import { requeueErrors } from "#lib/queue/error-groups.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { moveEntry } from "#lib/queue/move-entry.ts";
import { enqueuePosts, wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { decide } from "#lib/review/decide.ts";
import { makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { faults, type SimPost } from "#tests/simulated-server/server.ts";
import { skipPauses } from "./stream-fetches.ts";

skipPauses();

const { server } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ server: { posts: 0 } }),
);
const { control } = server;

beforeEach(async () => {
  await db.stream.deleteMany();
  await db.post.deleteMany();
});
afterEach(async () => {
  control.clearFaults();
  await db.host_state.updateMany({ data: { state: {} } });
});

const deadline = () => new Date(Date.now() + 20_000);
async function check() {
  await planSourceChecks({ deadline: deadline() });
  return checkSources({ deadline: deadline() });
}
const byId = (id: number) => db.post.findUniqueOrThrow({ where: { id } });
const entryOf = (id: number) => db.queue_entry.findUnique({ where: { post_id: id } });
const lastLine = (id: number) => db.post_event.findFirst({ where: { post_id: id }, orderBy: { id: "desc" } });
async function age(hours: number) {
  await db.$executeRaw`UPDATE post SET fetched_at = fetched_at - ${hours} * interval '1 hour',
    confirmed_at = confirmed_at - ${hours} * interval '1 hour',
    source_checked_at = source_checked_at - ${hours} * interval '1 hour',
    source_missing_at = source_missing_at - ${hours} * interval '1 hour'`;
  await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_at - ${hours} * interval '1 hour'`;
  await db.$executeRaw`UPDATE source_check SET due_at = due_at - ${hours} * interval '1 hour'`;
}

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
  // Less than a day, and long enough for a check ahead.
  await age(19);
  return { id, source };
}

describe("checkSources", () => {
  test("leaves an unchanged post alone and does not check it again for hours", async () => {
    const { id } = await waiting();
    expect(await check()).toEqual({ checked: 1 });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
    expect((await byId(id)).source_checked_at).not.toBeNull();
    expect(await check()).toEqual({ checked: 0 });
    await age(19);
    expect(await check()).toEqual({ checked: 1 });
  });

  test("erases nothing while its server is ill and answers 404 for everything", async () => {
    const { id } = await waiting();
    await db.host_state.updateMany({ data: { software: "mastodon", software_at: new Date(0) } });
    control.fail({ kind: "status", status: 404, body: "<html>" }, "all");
    for (let hour = 0; hour < 3; hour++) {
      await check();
      await age(7);
    }
    expect(await byId(id)).toMatchObject({ approved: true, erased_at: null, source_missing_at: null });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: holdBits.unverifiable });
    const { software } = await db.host_state.findUniqueOrThrow({ where: { host: server.host } });
    expect(software).toBe("mastodon");
    control.clearFaults();
    await check();
    expect(await entryOf(id)).toMatchObject({ holds: 0 });
  });

  test("erases nothing while its server shows neither the author nor another post", async () => {
    const { id, source } = await waiting();
    const account = `${source.author.username}@${server.host}`;
    control.deletePost(source.id, "missing");
    control.webfinger.set(account, null);
    for (let hour = 0; hour < 2; hour++) {
      await check();
      await age(7);
    }
    expect(await byId(id)).toMatchObject({ approved: true, erased_at: null, source_missing_at: null });
    const other = control.addPost({ hashtags: ["cats"] }, "text");
    const [{ id: stream_id }] = [await db.stream.findFirstOrThrow()];
    await fetchStream(stream_id, { limit: 400 });
    expect(await db.post.count({ where: { uri: { endsWith: `/${other.id}` } } })).toBe(1);
    for (let hour = 0; hour < 2; hour++) {
      await check();
      await age(7);
    }
    expect(await byId(id)).toMatchObject({ approved: false, auto_reject_reason: "gone" });
    control.webfinger.delete(account);
  });

  test("restarts the hour when the source was back in between", async () => {
    const { id, source } = await waiting();
    const { uri } = await byId(id);
    const state = async () => ({
      approved: (await byId(id)).approved,
      holds: (await entryOf(id))?.holds,
    });
    const miss = async () => {
      await db.$transaction((tx) => applySourceCheck(tx, uri, { kind: "missing" }));
      return state();
    };
    const held = { approved: true, holds: holdBits.unverifiable };
    expect(await miss()).toEqual(held);
    await age(59 / 60);
    expect(await miss()).toEqual(held);
    await age(1);
    source.deleted = null;
    expect(await check()).toEqual({ checked: 1 });
    expect(await state()).toEqual({ approved: true, holds: 0 });
    await age(1);
    expect(await miss()).toEqual(held);
    await age(61 / 60);
    expect(await miss()).toMatchObject({ approved: false });
    expect(await byId(id)).toMatchObject({ auto_reject_reason: "gone" });
    expect(await lastLine(id)).toMatchObject({ action: "auto_reject", source: "filter", note: "gone" });
  });

  test("holds a post as unverifiable until its server shows it, or its stream", async () => {
    const { id } = await waiting();
    control.fail(faults.forbidden(), "status");
    await check();
    expect(await byId(id)).toMatchObject({ approved: true });
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: holdBits.unverifiable });
    const stream = await db.stream.findFirstOrThrow();
    await fetchStream(stream.id, { limit: 400 });
    expect((await entryOf(id))?.holds).toBe(0);
    await age(19);
    await check();
    expect((await entryOf(id))?.holds).toBe(holdBits.unverifiable);
    control.clearFaults();
    expect(await check()).toEqual({ checked: 0 });
    await age(1.1);
    await check();
    expect((await entryOf(id))?.holds).toBe(0);
  });

  test("asks nothing of a host that wants to wait, then checks all its posts", async () => {
    await waiting();
    const path = (n: number) => `${server.origin}/users/mira/statuses/${n}`;
    await Promise.all([1, 2].map((n) => makePending({ instance: server.host, uri: path(n) })));
    await age(19);
    const state = { ...newHostState(), wait_until: Date.now() + 60_000, wait_reason: "asked_to_wait" };
    await db.host_state.update({ where: { host: server.host }, data: { state } });
    expect(await check()).toEqual({ checked: 0 });
    await db.host_state.updateMany({ data: { state: {} } });
    await age(61 / 3600);
    expect(await check()).toEqual({ checked: 3 });
  });

  test("checks the home server at once when a copy differs", async () => {
    const { id } = await waiting();
    await check();
    await db.post.update({
      where: { id },
      data: { from_home: false, plain_text: "A copy", content: "<p>A copy</p>" },
    });
    await db.$transaction((tx) => holdDoubtful(tx, [{ id, edited_at: null }]));
    expect(await check()).toEqual({ checked: 1 });
    expect(await byId(id)).toMatchObject({ from_home: true, differs_since: null, approved: null });
  });
});

describe("a failed post whose own server shows another version", () => {
  const operator = principalOfMember({ id: 1, role: "admin", name: "Operator" }, null);
  async function failedAndEdited() {
    await db.blocked_user.deleteMany();
    const { id, source } = await waiting();
    await db.$executeRaw`UPDATE queue_entry SET state = 'error', errored_at = now(), error_reason = 'no' WHERE post_id = ${id}`;
    control.editPost(source.id, ["Something else"]);
    await fetchStream((await db.stream.findFirstOrThrow()).id, { limit: 400 });
    await check();
    expect(await entryOf(id)).toMatchObject({ state: "error", holds: holdBits.differs });
    expect(await db.source_check.count()).toBe(0);
    return id;
  }
  const approve = async (id: number) => {
    const actor = servicePrincipal;
    const { changed } = await db.$transaction((tx) => decide(tx, actor, [id], true));
    expect(changed).toHaveLength(1);
  };

  test.each<[string, (id: number) => Promise<unknown>]>([
    ["requeued", (id) => moveEntry(operator, id, String(id), "requeue")],
    ["requeued with its group", () => requeueErrors(operator, { reason: "no", limit: 10 })],
    [
      "rejected and approved",
      async (id) => {
        await db.$transaction((tx) => decide(tx, servicePrincipal, [id], false));
        await approve(id);
      },
    ],
  ])("returns to review when it is %s, and is free once it is approved", async (_how, back) => {
    const id = await failedAndEdited();
    await back(id);
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: holdBits.differs });
    await check();
    expect(await byId(id)).toMatchObject({ approved: null, differs_since: null });
    expect((await byId(id)).plain_text).toContain("Something else");
    await approve(id);
    expect(await entryOf(id)).toMatchObject({ state: "pending", holds: 0 });
  });
});

test("concurrent workers check each post once", async () => {
  const posts = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      makePending({ instance: `host${n}.invalid`, uri: `https://127.0.0.${n + 2}/${n}` }),
    ),
  );
  await age(19);
  const results = await Promise.all([check(), check(), check()]);
  expect(results.reduce((sum, { checked }) => sum + checked, 0)).toBe(posts.length);
  expect(await db.queue_entry.count({ where: { holds: holdBits.unverifiable } })).toBe(posts.length);
});

describe("claimSources", () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const due = async () => (await claimSources(100)).map(({ id }) => id);
  const wanted = (...ids: number[]) => db.$transaction((tx) => wantSourceChecks(tx, ids));

  test("claims due checks once", async () => {
    const { id } = await makePending();
    await wanted(id);
    expect(await due()).toEqual([id]);
    expect(await due()).toEqual([]);
    await age(0.1);
    expect(await due()).toEqual([id]);
  });

  test("does not claim rejected or reserved posts", async () => {
    const rejected = await makePost({ approved: false, reviewed_at: ago(1) });
    const { id } = await makePending();
    await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'
      WHERE post_id = ${id}`;
    await wanted(rejected.id, id);
    await planSourceChecks({ deadline: deadline() });
    expect(await due()).toEqual([]);
    expect(await db.source_check.count({ where: { post_id: rejected.id } })).toBe(0);
    await db.$executeRaw`UPDATE queue_entry SET state = 'pending', lease_id = NULL, lease_expires_at = NULL`;
    await age(0.2);
    expect(await due()).toEqual([id]);
  });

  test("skips a check that another process has locked", async () => {
    const [one, other] = [await makePending(), await makePending()];
    await wanted(one.id, other.id);
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM source_check WHERE post_id = ${one.id} FOR UPDATE`;
      expect(await due()).toEqual([other.id]);
    });
    expect(await due()).toEqual([one.id]);
  });

  test("takes posts of each host in turn", async () => {
    const busy = await Promise.all(
      Array.from({ length: 8 }, () => makePending({ instance: "busy.example" })),
    );
    await wanted(...busy.map(({ id }) => id));
    const quiet = await makePending({ instance: "quiet.example" });
    await wanted(quiet.id);
    const claimed = await due();
    expect(claimed).toContain(quiet.id);
    expect(claimed).toHaveLength(6);
  });

  test("names the servers that showed the post, its own one first", async () => {
    const uri = "https://home.example/objects/uu-id";
    const { id } = await makePending({ instance: "home.example", uri });
    const [elsewhere, home] = await Promise.all(
      ["elsewhere.example", "home.example"].map((instance) => makeStream({ hashtag: "cats", instance })),
    );
    await db.sighting.create({
      data: { post_id: id, stream_id: elsewhere?.id ?? 0, remote_id: "theirs" },
    });
    await wanted(id);
    const copy = { host: "elsewhere.example", id: "theirs" };
    expect(await claimSources(1)).toMatchObject([{ id, seen: [copy] }]);
    await db.sighting.create({ data: { post_id: id, stream_id: home?.id ?? 0, remote_id: "ours" } });
    await age(1);
    expect(await claimSources(1)).toMatchObject([{ id, seen: [{ host: "home.example", id: "ours" }, copy] }]);
  });
});
