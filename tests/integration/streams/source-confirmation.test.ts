import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { fetchStream } from "#lib/collect/fetch-streams.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { putOffCheck } from "#lib/collect/apply-source-check.ts";
import { markConfirmed } from "#lib/collect/ingest-known.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import type { QueueItem } from "#lib/queue/schema.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";
import type { SimPost, SimulatedServer } from "#tests/simulated-server/server.ts";
import { skipPauses } from "./stream-fetches.ts";

skipPauses();

/* A stream on one server shows posts of others. */

const { shower, home, closed } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({
    shower: { posts: 0 },
    home: { posts: 0 },
    closed: { posts: 0, software: "gotosocial" },
  }),
);

let send: Send;
beforeEach(async () => {
  await db.stream.deleteMany();
  await db.post.deleteMany();
  await db.tombstone.deleteMany();
  await db.reported_opt_out.deleteMany();
  await db.blocked_user.deleteMany();
  send = sender({ key: await makeKey() });
});
afterEach(async () => {
  // The posts stay on their servers: one refusing profile is a refusal of the author.
  for (const { author, bio } of authors.splice(0)) author.bio = bio;
  for (const { control } of [shower, home, closed]) control.clearFaults();
  await db.host_state.updateMany({ data: { state: {} } });
});

const work = async () => {
  const deadline = new Date(Date.now() + 20_000);
  await planSourceChecks({ deadline });
  await checkSources({ deadline });
};
const byId = (id: number) => db.post.findUnique({ where: { id } });
const holdsOf = async (id: number) => (await db.queue_entry.findUnique({ where: { post_id: id } }))?.holds;
const detail = async (id: number) => (await send<PostDetail>(`GET posts/${id}`)).json;

async function next(): Promise<number | null> {
  const answer = await send<QueueItem>("GET curated/next");
  return answer.status === 204 ? null : answer.json.fenliu_post_id;
}

async function approve(id: number) {
  expect((await send(`PATCH posts/${id}`, { approved: true })).status).toBe(200);
}

const authors: { author: SimPost["author"]; bio: string }[] = [];

/** A post of `from`, fetched from the stream of `at`. */
async function fetched(from: SimulatedServer, at: SimulatedServer, change?: (copy: SimPost) => void) {
  const author = from.control.findAuthor("mira");
  const source = from.control.addPost({ hashtags: ["cats"], author: { ...author, host: null } }, "text");
  authors.push({ author: source.author, bio: source.author.bio });
  const copy = from === at ? undefined : at.control.receive(from, [source])[0];
  if (copy !== undefined) change?.(copy);
  const stream =
    (await db.stream.findFirst({ where: { instance: at.host } })) ??
    (await makeStream({ hashtag: "cats", instance: at.host }));
  await fetchStream(stream.id, { limit: 400 });
  const { id } = await db.post.findFirstOrThrow({ where: { uri: { endsWith: `/${source.id}` } } });
  return { id, source, copy };
}

async function days(n: number) {
  await db.$executeRaw`UPDATE post SET confirmed_at = confirmed_at - ${n} * interval '1 day'`;
  await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_at - ${n} * interval '1 day'`;
}

describe("a post fetched 30 days ago", () => {
  test.each<[string, (source: SimPost) => void, object | null]>([
    ["is deleted", (source) => home.control.deletePost(source.id, "gone"), { approved: false }],
    ["has an author who refuses", (source) => (source.author.bio = "#nobot"), null],
    ["is private", (source) => home.control.setVisibility(source.id, "unlisted"), { approved: false }],
  ])("that %s is approved and never handed out", async (_what, change, after) => {
    const { id, source } = await fetched(home, home);
    await days(30);
    change(source);
    await approve(id);
    expect(await next()).toBeNull();
    expect(await detail(id)).toMatchObject({ held_by: "unconfirmed" });
    await work();
    expect(await next()).toBeNull();
    expect(await byId(id)).toEqual(after === null ? null : expect.objectContaining(after));
  });

  test("that its server still shows is handed out after the check that the approval caused", async () => {
    const { id } = await fetched(home, home);
    await days(30);
    await approve(id);
    expect(await next()).toBeNull();
    await checkSources({ deadline: new Date(Date.now() + 20_000) });
    expect(await next()).toBe(id);
    const { confirmed_by, confirmed_at } = await detail(id);
    expect(confirmed_by).toBe(home.host);
    expect(Date.now() - Date.parse(confirmed_at ?? "")).toBeLessThan(20_000);
  });
});

test("a reservation asks no other server, also while one does not answer", async () => {
  const { id } = await fetched(home, home);
  await days(30);
  await approve(id);
  home.control.fail({ kind: "stall" }, "all");
  const asked = home.control.requests.length;
  expect(await next()).toBeNull();
  expect(home.control.requests.length).toBe(asked);
  expect(await detail(id)).toMatchObject({ held_by: "unconfirmed" });
});

test("failed checks are repeated after 30 s, then with doubled pauses up to six hours", async () => {
  const { id } = await fetched(home, home);
  await db.source_check.deleteMany();
  // `now()` is the start of the transaction.
  const pauses = await db.$transaction(async (tx) => {
    const found: number[] = [];
    const fail = async (not_before: Date | null) => {
      await putOffCheck(tx, id, { not_before });
      const [row] = await tx.$queryRaw<{ pause: number }[]>`
        SELECT round(extract(epoch FROM due_at - now()))::int AS pause FROM source_check WHERE post_id = ${id}`;
      found.push(row?.pause ?? 0);
    };
    for (let n = 0; n < 12; n++) await fail(null);
    const [row] = await tx.$queryRaw<{ at: Date }[]>`SELECT now() + interval '1 day' AS at`;
    await fail(row?.at ?? null);
    await markConfirmed(tx, [id]);
    await fail(null);
    return found;
  });
  const doubled = [30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600];
  expect(pauses).toEqual([...doubled, 86_400, 30]);
});

describe("a post that only another server has shown", () => {
  test("is handed out once its own server has shown it", async () => {
    const { id } = await fetched(home, shower);
    expect(await detail(id)).toMatchObject({ confirmed_at: null, confirmed_by: null });
    await approve(id);
    expect(await next()).toBeNull();
    await work();
    expect(await byId(id)).toMatchObject({ from_home: true, confirmed_by: home.host });
    expect(await next()).toBe(id);
  });

  test("returns to review with the words of its own server", async () => {
    const { id } = await fetched(home, shower, (copy) => (copy.paragraphs = ["Buy coins"]));
    expect((await byId(id))?.plain_text).toContain("Buy coins");
    await approve(id);
    await work();
    expect(await next()).toBeNull();
    const post = await byId(id);
    expect(post).toMatchObject({ approved: null, from_home: true, confirmed_by: home.host });
    expect(post?.plain_text).not.toContain("Buy coins");
  });

  test("and that a restore brought back waits for its own server, whatever copies arrive meanwhile", async () => {
    const { id, copy } = await fetched(home, shower);
    await approve(id);
    await work();
    // As lib/runtime/backup/restore-backup.ts.
    await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_since(0), holds = holds | 4`;
    await db.post.updateMany({ data: { confirmed_at: null, confirmed_by: null } });
    if (copy !== undefined) copy.likes += 5;
    const { id: stream } = await db.stream.findFirstOrThrow();
    await fetchStream(stream, { limit: 400 });
    expect((await byId(id))?.likes).toBe(copy?.likes);
    expect([await next(), await holdsOf(id)]).toEqual([null, holdBits.unconfirmed]);
    await work();
    expect(await next()).toBe(id);
  });

  test("gets the author that its own server names", async () => {
    const { id } = await fetched(
      home,
      shower,
      (copy) => (copy.author = { ...copy.author, username: "jonas" }),
    );
    expect(await byId(id)).toMatchObject({ author_username: "jonas" });
    await approve(id);
    await work();
    const author_key = `mira@${home.host}`;
    expect(await byId(id)).toMatchObject({ author_username: "mira", author_key, from_home: true });
    expect(await db.queue_entry.findUnique({ where: { post_id: id } })).toMatchObject({ author_key });
  });

  test("is deleted when its own server shows a refusal, which confirms a reported opt-out", async () => {
    const { id, source } = await fetched(home, shower);
    source.author.bio = "#nobot";
    await approve(id);
    const { author_key } = await db.post.findUniqueOrThrow({ where: { id } });
    await db.reported_opt_out.create({ data: { author_key, reason: "Opted out" } });
    await work();
    expect(await byId(id)).toBeNull();
    expect(await db.reported_opt_out.findUnique({ where: { author_key } })).toMatchObject({
      resolution: "confirmed",
    });
  });

  test("that its own server does not know is never handed out", async () => {
    const { id, source } = await fetched(home, shower);
    home.control.deletePost(source.id, "missing");
    await approve(id);
    await work();
    expect(await next()).toBeNull();
    expect(await holdsOf(id)).toBe(holdBits.unverifiable);
    await db.$executeRaw`UPDATE post SET source_missing_at = source_missing_at - interval '61 minutes'`;
    await db.$executeRaw`UPDATE source_check SET due_at = now()`;
    await work();
    expect(await byId(id)).toMatchObject({ approved: false, auto_reject_reason: "gone" });
  });

  test("that was missing there is held when it is approved", async () => {
    const { id, source } = await fetched(home, home);
    home.control.deletePost(source.id, "missing");
    await db.$transaction((tx) => wantSourceChecks(tx, [id]));
    await checkSources({ deadline: new Date(Date.now() + 20_000) });
    await approve(id);
    expect(await next()).toBeNull();
    expect(await detail(id)).toMatchObject({ held_by: "unverifiable" });
  });

  test("is not approved by a batch before its own server has shown it", async () => {
    const { id } = await fetched(home, shower);
    const body = { post_ids: [id], decision: "approve" };
    const batch = async () => (await send<BatchResult>("POST review/batch", body)).json;
    const refused = await batch();
    expect(refused.changed).toBe(0);
    expect(refused.unchanged).toEqual([
      { post_id: id, detail: "Its own server has not shown it yet; it is asked now, so try again later" },
    ]);
    await checkSources({ deadline: new Date(Date.now() + 20_000) });
    expect(await batch()).toMatchObject({ changed: 1, unchanged: [] });
    expect(await next()).toBe(id);
  });
});

describe("a post of a server that answers no strangers", () => {
  test.each([
    ["a GoToSocial server", closed],
    ["a Mastodon server with status 401", home],
  ])("%s is confirmed by the server that showed it, and says so", async (_which, own) => {
    if (own === home) home.control.fail({ kind: "status", status: 401 }, "all");
    const { id } = await fetched(own, shower);
    await approve(id);
    expect(await next()).toBeNull();
    await work();
    expect(await byId(id)).toMatchObject({ confirmed_by: shower.host, from_home: false });
    const { confirmed_by, history } = await detail(id);
    expect(confirmed_by).toBe(shower.host);
    expect(history.map(({ note }) => note)).toContain(
      `confirmed by ${shower.host}; ${own.host} answers no strangers`,
    );
    expect(await next()).toBe(id);
  });

  test("keeps its words and is held when it is edited or gone there", async () => {
    const edited = await fetched(closed, shower);
    const deleted = await fetched(closed, shower);
    await approve(edited.id);
    await approve(deleted.id);
    await work();
    expect([await holdsOf(edited.id), await holdsOf(deleted.id)]).toEqual([0, 0]);
    if (edited.copy === undefined || deleted.copy === undefined) throw new Error("no copies");
    shower.control.editPost(edited.copy.id, ["Something else"]);
    shower.control.deletePost(deleted.copy.id, "missing");
    await days(1);
    await work();
    expect(await byId(edited.id)).toMatchObject({ approved: true, from_home: false, version: 1 });
    expect((await byId(edited.id))?.plain_text).not.toContain("Something else");
    expect([await holdsOf(edited.id), await holdsOf(deleted.id)]).toEqual([8, 8]);
    expect(await next()).toBeNull();
  });

  test.each<[string, (copy: SimPost) => void]>([
    ["refuses", (copy) => (copy.author.bio = "#nobot")],
    ["is private", (copy) => shower.control.setVisibility(copy.id, "unlisted")],
    ["names another author", (copy) => (copy.author = { ...copy.author, username: "jonas" })],
  ])("is held and not deleted when the copy %s", async (_what, change) => {
    const { id, copy } = await fetched(closed, shower);
    const other = await fetched(closed, shower);
    if (copy === undefined) throw new Error("no copy");
    copy.author = { ...copy.author };
    change(copy);
    await approve(id);
    await work();
    await work();
    expect(await next()).toBeNull();
    expect(await holdsOf(id)).toBe(holdBits.unverifiable);
    expect(await byId(id)).toMatchObject({ approved: true, erased_at: null, confirmed_at: null });
    expect(await byId(id)).toMatchObject({ author_username: "mira" });
    expect(await byId(other.id)).toMatchObject({ approved: null, erased_at: null });
  });

  test("is not confirmed by a copy after its own server said that it is missing", async () => {
    const { id, source } = await fetched(home, shower);
    home.control.deletePost(source.id, "missing");
    await approve(id);
    await work();
    home.control.fail({ kind: "status", status: 401 }, "all");
    await db.$executeRaw`UPDATE source_check SET due_at = now()`;
    await work();
    expect(await byId(id)).toMatchObject({ confirmed_at: null, source_missing_at: expect.any(Date) as Date });
    expect(await holdsOf(id)).toBe(holdBits.unverifiable);
    expect(await next()).toBeNull();
  });

  /** Shown by `home` and, an hour earlier, by `shower`. */
  async function shownTwice() {
    const { id, source, copy } = await fetched(closed, home);
    shower.control.receive(closed, [source]);
    const stream = await makeStream({ hashtag: "cats", instance: shower.host });
    await fetchStream(stream.id, { limit: 400 });
    await db.$executeRaw`UPDATE sighting SET seen_at = now() - interval '1 hour' WHERE stream_id = ${stream.id}`;
    await approve(id);
    return { id, copy };
  }

  test("is not confirmed by one copy after another one was deleted", async () => {
    const { id, copy } = await shownTwice();
    home.control.deletePost(copy?.id ?? "", "missing");
    await work();
    expect(await byId(id)).toMatchObject({ confirmed_at: null, erased_at: null });
    expect(await holdsOf(id)).toBe(holdBits.unverifiable);
  });

  test("is confirmed by the other copy while the server of the first may not be asked", async () => {
    const { id } = await shownTwice();
    const state = { wait_until: Date.now() + 3_600_000, wait_reason: "circuit_open" };
    await db.host_state.update({ where: { host: home.host }, data: { state } });
    await work();
    expect(await byId(id)).toMatchObject({ confirmed_by: shower.host });
    expect(await next()).toBe(id);
  });

  test("of which the showing server is only the poster's word for an open server is not confirmed there", async () => {
    const { id } = await fetched(home, shower);
    home.control.fail({ kind: "status", status: 500 }, "all");
    await approve(id);
    await work();
    expect(await detail(id)).toMatchObject({ held_by: "unverifiable", confirmed_at: null });
  });
});
