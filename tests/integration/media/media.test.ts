import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { GET as getPostMedia, POST as postPostMedia } from "#app/media/post/[id]/[n]/route.ts";
import { db } from "#lib/base/db.ts";
import { editMedia, makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { sessionHeaders } from "#tests/setup/request.ts";
import { mediaAt, requestMedia, useMediaEnvironment } from "./media-requests.ts";

const { environment, silent } = await vi.hoisted(async () => {
  const environment = await (await import("./media-environment.ts")).startMediaEnvironment();
  const silent = await (await import("./media-host.ts")).startMediaHost();
  process.env.ALLOWED_PRIVATE_HOSTS += `,${silent.origin}`;
  return { environment, silent };
});
const { host } = environment;
const { viewer, medium, hits } = useMediaEnvironment(environment);

const picture = (
  id: number | string,
  n: number | string = 0,
  { query = "", headers = viewer }: { query?: string; headers?: Record<string, string> } = {},
) => requestMedia(getPostMedia, { id, n }, { query, headers });

describe("a post's picture", () => {
  test("is re-encoded as WebP in the requested size without metadata", async () => {
    const { id } = await makePost({ media: [medium("image", "/large.jpg")] });
    for (const [query, width] of [
      ["?w=320", 320],
      ["", 960],
      ["?w=1600", 1600],
    ] as const) {
      const answer = await picture(id, 0, { query });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("image/webp");
      const found = await sharp(answer.bytes).metadata();
      expect(found).toMatchObject({ format: "webp", width });
      expect(found.exif).toBeUndefined();
      expect(answer.bytes.includes("secret place")).toBe(false);
    }
  });

  test("is never enlarged and keeps transparency", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg"), medium("image", "/clear.png")] });
    expect(await sharp((await picture(id)).bytes).metadata()).toMatchObject({ width: 200, height: 150 });
    expect((await sharp((await picture(id, 1)).bytes).metadata()).hasAlpha).toBe(true);
  });

  test("has headers that make it inert in a browser", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")] });
    const { headers } = await picture(id);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("private, max-age=86400");
  });

  test("uses the preview for the small size and the original for others, or the available one", async () => {
    const { id } = await makePost({
      media: [medium("image", "/large.jpg", "/small.jpg"), medium("image", "/gone", "/small.jpg")],
    });
    expect(await sharp((await picture(id, 0, { query: "?w=320" })).bytes).metadata()).toMatchObject({
      width: 200,
    });
    expect([hits("/small.jpg"), hits("/large.jpg")]).toEqual([1, 0]);
    expect(await sharp((await picture(id)).bytes).metadata()).toMatchObject({ width: 960 });
    expect((await picture(id, 1)).status).toBe(200);
  });

  test("of a video is its preview", async () => {
    const { id } = await makePost({
      media: [
        medium("video", "/film.mp4", "/small.jpg"),
        medium("gifv", "/film.mp4"),
        medium("audio", "/film.mp4"),
      ],
    });
    expect((await picture(id)).status).toBe(200);
    expect(hits("/film.mp4")).toBe(0);
    expect((await picture(id, 1)).status).toBe(404);
    expect((await picture(id, 2)).status).toBe(404);
  });

  test.each([
    ["/gone", "gone"],
    ["/broken", "host_failed"],
    ["/page", "not_a_picture"],
    ["/drawing.svg", "not_a_picture"],
    ["/torn.jpg", "not_a_picture"],
    ["/bomb.png", "too_large"],
    ["/progressive.jpg", "too_large"],
    ["/empty", "not_a_picture"],
    ["/film.mp4", "not_a_picture"],
    ["/heavy", "too_large"],
    ["/inward", "refused"],
  ])("at %s cannot be shown: %s", async (path, kind) => {
    const { id } = await makePost({ media: [medium("image", path)] });
    const answer = await picture(id);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-media-error")).toBe(kind);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({
      detail: expect.stringMatching(/\.$/) as string,
    });
  });

  test.each([
    "http://127.0.0.1:1/x.jpg",
    "http://169.254.169.254/x",
    "file:///etc/passwd",
    "javascript:1",
    "nonsense",
  ])("at %s is never asked for", async (url) => {
    const { id } = await makePost({ media: [{ type: "image", url, preview_url: null }] });
    expect((await picture(id)).headers.get("x-media-error")).toBe("refused");
  });

  test("is not requested again soon after a failure", async () => {
    const { id } = await makePost({ media: [medium("image", "/gone")] });
    for (let i = 0; i < 5; i++) expect((await picture(id)).status).toBe(404);
    expect(hits("/gone")).toBe(1);
  });

  test.each([
    ["an unknown post", "1999999999", "0"],
    ["no id", "abc", "0"],
    ["a medium that is not there", "POST", "7"],
  ])("is not found for %s", async (_name, id, n) => {
    const post = await makePost({ media: [medium("image", "/small.jpg")] });
    const answer = await picture(id === "POST" ? post.id : id, n);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ detail: "No such picture" });
  });

  test.each(["?w=321", "?w="])("has no size %s", async (query) => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")] });
    expect((await picture(id, 0, { query })).status).toBe(422);
    expect(hits("/small.jpg")).toBe(0);
  });
});

describe("access", () => {
  test("is limited to members with a session", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")] });
    expect((await picture(id, 0, { headers: {} })).status).toBe(401);
    expect((await picture(id, 0, { headers: { "x-api-key": await makeKey() } })).status).toBe(403);
    const member = await makeMember("viewer");
    const headers = await sessionHeaders(member);
    await db.member.update({ where: { id: member.id }, data: { disabled_at: new Date() } });
    expect((await picture(id, 0, { headers })).status).toBe(401);
    expect(hits("/small.jpg")).toBe(0);
    expect((await picture(id, 0, { headers: { cookie: viewer["cookie"] ?? "" } })).status).toBe(200);
  });

  test("answers 405 to other methods", async () => {
    const response = await postPostMedia(
      new Request("http://localhost:3000/media/post/1/0", { method: "POST" }),
    );
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});

describe("a cached picture", () => {
  test("gets a 304 without a download", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")] });
    const etag = (await picture(id)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{20}"$/);
    host.hits.clear();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await picture(id, 0, { headers: { ...viewer, "if-none-match": known } });
      expect(answer.status).toBe(304);
      expect(answer.bytes).toHaveLength(0);
    }
    expect(hits("/small.jpg")).toBe(0);
    expect((await picture(id, 0, { headers: { ...viewer, "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("is replaced when the post's medium changed", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")] });
    const etag = (await picture(id)).headers.get("etag") ?? "";
    await editMedia(id, [medium("image", "/large.jpg")]);
    const answer = await picture(id, 0, { headers: { ...viewer, "if-none-match": etag } });
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ width: 960 });
  });
});

describe("parallel requests", () => {
  test("share one download of a picture in all sizes", async () => {
    const { id } = await makePost({ media: [medium("image", "/large.jpg")] });
    const queries = ["?w=960", "?w=1600", "?w=320", ""];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => picture(id, 0, { query: queries[i % 4]! })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(hits("/large.jpg")).toBe(1);
  });

  test("download at most two pictures per host", async () => {
    const posts = [];
    for (let i = 0; i < 8; i++) posts.push(await makePost({ media: [medium("image", `/small.jpg?${i}`)] }));
    const answers = await Promise.all(posts.map((post) => picture(post.id)));
    expect(answers.map((answer) => answer.status)).toEqual(posts.map(() => 200));
    expect(hits("/small.jpg")).toBe(8);
    expect(host.busiest()).toBeLessThanOrEqual(2);
  });

  test("of a host that does not answer do not delay those of other hosts", async () => {
    const atSilentHost = mediaAt(silent.origin);
    let answered = 0;
    const posts = [];
    for (let n = 0; n < 6; n++)
      posts.push(await makePost({ media: [atSilentHost("image", `/silent?${n}`)] }));
    const waiting = posts.map((post) => picture(post.id).finally(() => answered++));
    await expect.poll(silent.busiest, { timeout: 8_000 }).toBe(2);
    const other = await makePost({ media: [medium("image", "/small.jpg")] });
    expect((await picture(other.id)).status).toBe(200);
    expect([answered, silent.busiest()]).toEqual([0, 2]);
    await silent.close();
    await Promise.all(waiting);
  });

  test("respect a host's Retry-After", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg?wait")] });
    const { newHostState } = await import("#lib/fediverse/governor.ts");
    const state = { ...newHostState(), wait_until: Date.now() + 3_600_000, wait_reason: "asked_to_wait" };
    await db.host_state.create({ data: { host: new URL(host.origin).host, state } });
    const answer = await picture(id);
    expect(answer.headers.get("x-media-error")).toBe("host_waits");
    expect(hits("/small.jpg")).toBe(0);
  });
});
