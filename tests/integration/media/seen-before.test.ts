import { beforeEach, describe, expect, test, vi } from "vitest";
import { GET } from "#app/api/v1/posts/[id]/route.ts";
import { GET as getPostMedia } from "#app/media/post/[id]/[n]/route.ts";
import { db } from "#lib/base/db.ts";
import { SAME_PICTURE } from "#lib/media/picture-hashes.ts";
import { seenRows } from "#lib/media/picture-hashes.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { editMedia, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { requestMedia, useMediaEnvironment } from "./media-requests.ts";

const environment = await vi.hoisted(async () =>
  (await import("./media-environment.ts")).startMediaEnvironment(),
);
const { host } = environment;
const { viewer, medium } = useMediaEnvironment(environment);
beforeEach(async () => {
  await db.picture_hash.deleteMany();
});

const ask = (id: number | string, headers: Record<string, string> = viewer) =>
  call<ShownPost & { detail?: string }>(GET, {
    path: `/api/v1/posts/${id}`,
    params: { id: String(id) },
    headers,
  });
const seen = async (id: number) => (await ask(id)).json.seen_before;
const show = (id: number, n = 0, query = "") =>
  requestMedia(getPostMedia, { id, n }, { query, headers: viewer });
const withPictures = (...paths: string[]) => makePost({ media: paths.map((path) => medium("image", path)) });

describe("pictures that another post had before", () => {
  test("are found as a resized copy, with the outcome of that post, on the later post only", async () => {
    const first = await makePost({
      media: [medium("image", "/clear.png"), medium("image", "/large.jpg")],
      author_username: "alice",
      created_at: new Date(Date.now() - 3_600_000),
      approved: false,
      reviewed_at: new Date(),
    });
    const second = await makePost({ media: [medium("image", "/small.jpg")], created_at: new Date() });
    await show(first.id, 1);
    expect(await seen(second.id)).toEqual([
      {
        medium: 0,
        post_id: first.id,
        post_medium: 1,
        author_account: "@alice@mastodon.example",
        approved: false,
        queue_status: null,
        reviewed_at: first.reviewed_at?.toISOString(),
        created_at: first.created_at.toISOString(),
        distance: expect.any(Number) as number,
      },
    ]);
    expect(await seen(first.id)).toEqual([]);
    const hits = new Map(host.hits);
    expect(await seen(second.id)).toHaveLength(1);
    expect(host.hits).toEqual(hits);
  });

  test("are found by the later of two posts also when its own picture came first", async () => {
    const second = await withPictures("/large.jpg");
    const first = await makePost({
      media: [medium("image", "/small.jpg")],
      created_at: new Date(second.created_at.getTime() - 60_000),
    });
    // Pictures are prefetched, and the smaller file arrives sooner.
    await show(second.id);
    await show(first.id);
    expect((await seen(second.id)).map((item) => item.post_id)).toEqual([first.id]);
  });

  test("are the most alike of each, as far as the same picture reaches", async () => {
    // Fingerprints at this distance from all zeros.
    const insertHash = (postId: number, distance: number) => db.$executeRaw`
      INSERT INTO picture_hash (post_id, medium, source, dhash, phash)
      VALUES (${postId}, 0, ${`source ${postId}`}, rpad(repeat('1', ${distance}::int / 2), 64, '0')::bit(64),
              rpad(repeat('1', ${distance}::int - ${distance}::int / 2), 64, '0')::bit(64))`;
    const [alike, further, beyond, own] = await Promise.all(Array.from({ length: 4 }, () => makePost()));
    for (const [post, distance] of [
      [alike, SAME_PICTURE - 1],
      [further, SAME_PICTURE],
      [beyond, SAME_PICTURE + 1],
      [own, 0],
    ] as const)
      await insertHash(post?.id ?? 0, distance);
    const found = async () =>
      (await seenRows(own?.id ?? 0)).map(({ post_id, distance }) => [post_id, distance]);
    expect(await found()).toEqual([[alike?.id, SAME_PICTURE - 1]]);
    await db.post.delete({ where: { id: alike?.id ?? 0 } });
    expect(await found()).toEqual([[further?.id, SAME_PICTURE]]);
    await db.post.delete({ where: { id: further?.id ?? 0 } });
    expect(await found()).toEqual([]);
  });

  test("leave out the same post, blank pictures, audio covers and unavailable pictures", async () => {
    const twice = await withPictures("/small.jpg", "/large.jpg");
    expect(await seen(twice.id)).toEqual([]);
    const blank = [await withPictures("/clear.png"), await withPictures("/clear.png")];
    for (const { id } of blank) expect(await seen(id)).toEqual([]);
    const sound = await makePost({ media: [medium("audio", "/film.mp4", "/small.jpg")] });
    await show(sound.id);
    expect(await seen(sound.id)).toEqual([]);
    const gone = await withPictures("/gone", "/small.jpg");
    expect((await seen(gone.id)).map((item) => item.medium)).toEqual([1]);
    expect(await seen((await makePost()).id)).toEqual([]);
    expect(await db.picture_hash.count({ where: { post_id: sound.id } })).toBe(0);
  });

  test("are forgotten with their post, and with an edit that took them away", async () => {
    const [first, second] = [await withPictures("/small.jpg"), await withPictures("/large.jpg")];
    await show(first.id);
    expect(await seen(second.id)).toHaveLength(1);
    await db.post.update({ where: { id: first.id }, data: { likes: 7 } });
    expect(await seen(second.id)).toHaveLength(1);
    await editMedia(first.id, [medium("image", "/clear.png")]);
    expect(await seen(second.id)).toEqual([]);

    const third = await withPictures("/small.jpg");
    expect((await seen(third.id)).map((item) => item.post_id)).toEqual([second.id]);
    await db.post.delete({ where: { id: second.id } });
    expect(await seen(third.id)).toEqual([]);
  });

  test("keep their time when they are fetched again, and get a new one with a new address", async () => {
    const [first, second] = [await withPictures("/small.jpg"), await withPictures("/large.jpg")];
    await Promise.all([show(first.id), show(first.id, 0, "?w=320"), seen(first.id)]);
    await show(second.id);
    const idOf = async (post_id: number) =>
      (await db.picture_hash.findFirstOrThrow({ where: { post_id }, select: { id: true } })).id;
    const before = await idOf(first.id);
    await show(first.id, 0, "?w=1600");
    expect(await idOf(first.id)).toBe(before);
    await db.post.update({ where: { id: first.id }, data: { media: [medium("image", "/small.jpg?new")] } });
    expect((await seen(first.id)).map((item) => item.post_id)).toEqual([second.id]);
    expect(await idOf(first.id)).toBeGreaterThan(before);
  });
});
