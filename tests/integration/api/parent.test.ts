import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { GET } from "#app/api/v1/posts/[id]/parent/route.ts";
import { db } from "#lib/db.ts";
import type { Parent } from "#lib/streams/schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { faults } from "#tests/simulated-server/faults.ts";
import type { SimulatedServer, Software } from "#tests/simulated-server/server.ts";

const servers = await vi.hoisted(async () => {
  const { startSimulatedServer } = await import("#tests/simulated-server/server.ts");
  const start = (software: Software) =>
    startSimulatedServer({ software, posts: 120, hashtags: ["cats"], spanHours: 20, seed: software });
  const started = { mastodon: await start("mastodon"), misskey: await start("misskey") };
  process.env.ALLOWED_PRIVATE_HOSTS = Object.values(started)
    .map((server) => server.origin)
    .join(",");
  return started;
});
const { mastodon } = servers;
const key = await makeKey({ scopes: ["read"] });

afterEach(async () => {
  for (const { control } of Object.values(servers)) control.clearFaults();
  await db.host_state.updateMany({ data: { state: {} } });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

const show = (id: number) =>
  call<Parent & { detail?: string }>(GET, {
    path: `/api/v1/posts/${id}/parent`,
    params: { id: String(id) },
    key,
  });

async function replyOf(server: SimulatedServer, given: { from_home?: boolean; in_reply_to?: string } = {}) {
  const reply = server.control.posts.find(
    (post) =>
      post.reply_to?.visibility === "public" && post.reply_to.author.host === null && post.origin === null,
  );
  if (!reply?.reply_to) throw new Error("the server has no reply");
  const uri =
    server.software === "misskey"
      ? `${server.origin}/notes/${reply.id}`
      : `${server.origin}/users/${reply.author.username}/statuses/${reply.id}`;
  const post = await makePost({
    uri: `${uri}`,
    url: uri,
    from_home: true,
    in_reply_to: reply.reply_to.id,
    ...given,
  });
  return { post, parent: reply.reply_to };
}

describe("the parent of a post", () => {
  test.each(["mastodon", "misskey"] as const)(
    "is shown as its %s server shows it, and kept nowhere",
    async (software) => {
      await db.post.deleteMany();
      const { post, parent } = await replyOf(servers[software]);
      const { status, json } = await show(post.id);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        outcome: "shown",
        post: {
          author_account: `@${parent.author.username}@${servers[software].host}`,
          created_at: parent.created_at.toISOString(),
          media: parent.media.map(({ type }) => ({ type })),
        },
      });
      expect(json.post?.content).toContain(parent.paragraphs[0]?.slice(0, 10));
      expect(await db.post.count()).toBe(1);
    },
  );

  test("of a copy is requested from the post's home server", async () => {
    await db.post.deleteMany();
    const { post, parent } = await replyOf(mastodon, { from_home: false, in_reply_to: "elsewhere-77" });
    expect((await show(post.id)).json.post?.created_at).toBe(parent.created_at.toISOString());
  });

  test("that is deleted or private is reported as such", async () => {
    await db.post.deleteMany();
    const { post, parent } = await replyOf(mastodon);
    parent.visibility = "unlisted";
    expect((await show(post.id)).json).toEqual({ outcome: "not_public", post: null });
    parent.visibility = "public";
    parent.deleted = "gone";
    expect((await show(post.id)).json).toEqual({ outcome: "gone", post: null });
    parent.deleted = null;
  });

  test("of a post that is no reply is null without a request", async () => {
    const { id } = await makePost({ in_reply_to: null });
    const asked = mastodon.control.requests.length;
    expect((await show(id)).json).toEqual({ outcome: "no_reply", post: null });
    expect(mastodon.control.requests).toHaveLength(asked);
  });

  test("answers 502 when the server fails", async () => {
    await db.post.deleteMany();
    const { post } = await replyOf(mastodon);
    mastodon.control.fail(faults.serverError(), "status");
    const answer = await show(post.id);
    expect(answer.status).toBe(502);
    expect(answer.json.detail).toContain(mastodon.host);
  });
});
