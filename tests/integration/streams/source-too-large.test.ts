import { beforeEach, describe, expect, test, vi } from "vitest";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import { db } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { checkSources } from "#lib/collect/check-sources.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { fetchNow, freshStream, skipPauses } from "./stream-fetches.ts";

skipPauses();

const { server } = await vi.hoisted(async () =>
  (await import("./simulated-hosts.ts")).startHosts({ server: { posts: 0 } }),
);
const { control } = server;

const GIANT = 8_400_000;

let key = "";
let streamId = 0;
beforeEach(async () => {
  key = await makeKey();
  control.posts.length = 0;
  streamId = (await freshStream(server)).id;
  await db.host_state.updateMany({ data: { state: {} } });
});

/** Approved posts in the queue, each with its source. */
async function approved(count: number) {
  const author = { ...control.findAuthor("mira"), host: null };
  const sources = Array.from({ length: count }, () => control.addPost({ author, hashtags: ["cats"] }));
  await fetchNow(streamId);
  const at = new Date();
  await db.post.updateMany({ data: { approved: true, reviewed_at: at, approved_at: at } });
  const posts = await db.post.findMany({ select: { id: true, uri: true } });
  await db.$transaction((tx) =>
    enqueuePosts(
      tx,
      posts.map(({ id }) => id),
      at,
    ),
  );
  return sources.map((source) => {
    const post = posts.find(({ uri }) => uri.endsWith(`/${source.id}`));
    if (post === undefined) throw new Error("not stored");
    return { id: post.id, source };
  });
}

const holdsOf = async (id: number) => (await db.queue_entry.findUnique({ where: { post_id: id } }))?.holds;
const next = () => call(getNext, { path: "/api/v1/curated/next", key });

async function checkAfter(hours: number) {
  await db.$executeRaw`UPDATE post SET confirmed_at = confirmed_at - ${hours} * interval '1 hour'`;
  await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_at - ${hours} * interval '1 hour'`;
  const deadline = new Date(Date.now() + 20_000);
  await planSourceChecks({ deadline });
  await checkSources({ deadline });
}

describe("an approved post that was edited to more than 8 MiB", () => {
  test("is held as unverifiable when its own server is asked, and the others are confirmed", async () => {
    const posts = await approved(3);
    for (const { source } of posts.slice(1)) source.raw = { content: "y".repeat(GIANT) };
    await checkAfter(19);
    await checkAfter(0);
    const holds = await Promise.all(posts.map(({ id }) => holdsOf(id)));
    expect(holds).toEqual([0, holdBits.unverifiable, holdBits.unverifiable]);
    const { state } = await db.host_state.findUniqueOrThrow({ where: { host: server.host } });
    expect(state).toMatchObject({ failures: 0, wait_reason: null });
  });
});

test("an approved post is held as unverifiable when the database refuses its edit", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const [post] = await approved(1);
  if (post === undefined) throw new Error("no post");
  await db.$executeRaw`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'poison'; END $$`;
  await db.$executeRaw`CREATE TRIGGER refuse BEFORE UPDATE OF plain_text ON post FOR EACH ROW
    WHEN (NEW.plain_text = 'poison') EXECUTE FUNCTION refuse()`;
  post.source.raw = { content: "<p>poison</p>", edited_at: new Date().toISOString() };
  try {
    await checkAfter(19);
  } finally {
    await db.$executeRaw`DROP FUNCTION refuse CASCADE`;
  }
  expect(await holdsOf(post.id)).toBe(holdBits.unverifiable);
});

describe("an approved post that its stream shows", () => {
  test("with more than 100 kB is held until it can be read again", async () => {
    const [post] = await approved(1);
    if (post === undefined) throw new Error("no post");
    const { id, source } = post;
    source.raw = { content: "y".repeat(150_000) };
    await fetchNow(streamId);
    expect(await holdsOf(id)).toBe(holdBits.differs);
    expect((await next()).status).toBe(204);
    await checkAfter(0);
    expect(await holdsOf(id)).toBe(holdBits.differs | holdBits.unverifiable);
    source.raw = { content: "<p>short</p>", edited_at: new Date().toISOString() };
    await fetchNow(streamId);
    expect(await db.post.findUnique({ where: { id } })).toMatchObject({
      approved: null,
      plain_text: "short",
    });
  });
});
