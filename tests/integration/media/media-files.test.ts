import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { GET as getAvatar } from "#app/media/avatar/[id]/route.ts";
import { GET as getDuplicate } from "#app/media/duplicate/[id]/[side]/route.ts";
import { GET as getEmoji } from "#app/media/emoji/[id]/[n]/route.ts";
import { GET as getFile } from "#app/media/post/[id]/[n]/file/route.ts";
import { db } from "#lib/base/db.ts";
import { move } from "#tests/integration/statistics/stats-moves.ts";
import { makePending, makePost } from "#tests/setup/factories.ts";
import { film } from "./media-host.ts";
import { requestMedia, useMediaEnvironment } from "./media-requests.ts";

const environment = await vi.hoisted(async () =>
  (await import("./media-environment.ts")).startMediaEnvironment(),
);
const { host } = environment;
const { viewer, medium, hits } = useMediaEnvironment(environment);

const at = (path: string) => `${host.origin}${path}`;
const file = (id: number, range?: string, more: Record<string, string> = {}) =>
  requestMedia(getFile, { id, n: 0 }, { headers: { ...viewer, ...(range ? { range } : {}), ...more } });

const report = async (details: Record<string, unknown>) => {
  const post = await makePending({ media: [medium("image", "/large.jpg")] });
  const error_details = { error_type: "duplicate_attachment", ...details };
  await move(post.id, "error", { error_reason: "Duplicate attachment detected", error_details });
  return post.id;
};

describe("an author's picture", () => {
  test("is small and addressed by a post's id", async () => {
    const { id } = await makePost({ author_avatar_url: at("/large.jpg") });
    const answer = await requestMedia(getAvatar, { id }, { headers: viewer });
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: "webp", width: 160 });
    expect((await requestMedia(getAvatar, { id: (await makePost()).id }, { headers: viewer })).status).toBe(
      404,
    );
    expect((await requestMedia(getAvatar, { id }, { headers: {} })).status).toBe(401);
  });
});

describe("a custom emoji", () => {
  test("is smaller and addressed by a post's id and index", async () => {
    const emojis = [{ shortcode: "a", url: at("/small.jpg") }, { shortcode: "b" }];
    const { id } = await makePost({ emojis });
    const answer = await requestMedia(getEmoji, { id, n: 0 }, { headers: viewer });
    const { format, width } = await sharp(answer.bytes).metadata();
    expect([format, (width ?? 0) <= 64]).toEqual(["webp", true]);
    for (const n of [1, 2, "x"])
      expect((await requestMedia(getEmoji, { id, n }, { headers: viewer })).status).toBe(404);
    expect(
      (await requestMedia(getEmoji, { id: (await makePost()).id, n: 0 }, { headers: viewer })).status,
    ).toBe(404);
    expect((await requestMedia(getEmoji, { id, n: 0 }, { headers: {} })).status).toBe(401);
  });
});

describe("a video or audio file", () => {
  test("is served with the media type of its signature", async () => {
    const { id } = await makePost({ media: [medium("video", "/film.mp4", "/small.jpg")] });
    const answer = await file(id);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(film)).toBe(true);
    expect(answer.headers.get("content-type")).toBe("video/mp4");
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  });

  test("is served in ranges", async () => {
    const { id } = await makePost({ media: [medium("gifv", "/film.mp4")] });
    const part = await file(id, "bytes=4-11");
    expect(part.status).toBe(206);
    expect(part.bytes.toString()).toBe("ftypisom");
    expect(part.headers.get("content-range")).toBe(`bytes 4-11/${film.length}`);
    expect((await file(id, "bytes=-5")).bytes).toHaveLength(5);
    const beyond = await file(id, "bytes=5000-");
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get("content-range")).toBe(`bytes */${film.length}`);
    const etag = part.headers.get("etag") ?? "";
    expect((await file(id, "bytes=0-3", { "if-range": etag })).status).toBe(206);
    expect((await file(id, "bytes=0-3", { "if-range": '"old"' })).status).toBe(200);
    expect((await file(id, undefined, { "if-none-match": etag })).status).toBe(304);
    expect(hits("/film.mp4")).toBe(1);
  });

  test.each([
    ["a picture", medium("image", "/small.jpg"), null],
    ["a page", medium("video", "/page"), "not_playable"],
    ["more than 8 MiB", medium("video", "/heavy.mp4"), "too_large"],
    ["gone", medium("audio", "/gone"), "gone"],
  ])("is not there for %s", async (_name, media, kind) => {
    const { id } = await makePost({ media: [media] });
    const answer = await file(id);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-media-error")).toBe(kind);
  });
});

describe("a reported duplicate", () => {
  const side = (id: number, which: string) =>
    requestMedia(getDuplicate, { id, side: which }, { query: "?w=320", headers: viewer });
  const widthOf = async (answer: { bytes: Buffer }) => (await sharp(answer.bytes).metadata()).width;

  test("shows both pictures the consumer named", async () => {
    const id = await report({ current_url: at("/small.jpg"), matched_url: at("/clear.png") });
    expect(await widthOf(await side(id, "current"))).toBe(200);
    expect(await widthOf(await side(id, "matched"))).toBe(50);
  });

  test("falls back to our own post when the named picture is unavailable", async () => {
    const other = await makePost({ media: [medium("image", "/clear.png")] });
    const id = await report({
      current_url: null,
      matched_url: at("/gone"),
      matched_post_id: String(other.id),
    });
    expect(await widthOf(await side(id, "current"))).toBe(320);
    expect(await widthOf(await side(id, "matched"))).toBe(50);
  });

  test("answers 404 for an unreported post and an unknown side", async () => {
    const id = await report({ current_url: at("/small.jpg"), matched_url: null, matched_post_id: "none" });
    expect((await side(id, "matched")).status).toBe(404);
    expect((await side(id, "other")).status).toBe(404);
    expect((await side((await makePending()).id, "current")).status).toBe(404);
    await db.queue_entry.update({
      where: { post_id: id },
      data: { state: "pending", error_reason: null, error_details: undefined, errored_at: null },
    });
    expect((await side(id, "current")).status).toBe(404);
  });
});
