import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { GET as getPostMedia } from "#app/media/post/[id]/[n]/route.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { sweepPictures } from "#lib/media/cache.ts";
import { makePost } from "#tests/setup/factories.ts";
import { requestMedia, useMediaEnvironment } from "./media-requests.ts";

const environment = await vi.hoisted(async () =>
  (await import("./media-environment.ts")).startMediaEnvironment(),
);
const { folder } = environment;
const { viewer, medium, hits } = useMediaEnvironment(environment);
beforeEach(async () => {
  await rm(path.join(folder, "media"), { recursive: true, force: true });
});

const HOUR = 3_600_000;
const picture = (id: number, query = "") =>
  requestMedia(getPostMedia, { id, n: 0 }, { query, headers: viewer });
const post = () => makePost({ media: [medium("image", "/small.jpg")] });
const folderOf = (id: number) =>
  path.join(folder, "media", (id % 256).toString(16).padStart(2, "0"), String(id));
const filesOf = async (id: number) =>
  (await readdir(folderOf(id)).catch(() => [])).map((name) => path.join(folderOf(id), name));

async function age(id: number, hours: number) {
  const at = new Date(Date.now() - hours * HOUR);
  for (const file of await filesOf(id)) await utimes(file, at, at);
}

describe("the cache", () => {
  test("stores a picture readable only by its owner", async () => {
    const { id } = await post();
    const first = await picture(id);
    expect((await picture(id)).bytes.equals(first.bytes)).toBe(true);
    expect(hits("/small.jpg")).toBe(1);
    const [file] = await filesOf(id);
    expect((await stat(file!)).mode & 0o777).toBe(0o600);
  });

  test("expires a picture a day after its download", async () => {
    const { id } = await post();
    await picture(id);
    await age(id, 23);
    await picture(id);
    expect(hits("/small.jpg")).toBe(1);
    const [file = ""] = await filesOf(id);
    expect(Date.now() - (await stat(file)).mtimeMs).toBeGreaterThan(22.9 * HOUR);
    await age(id, 25);
    await picture(id);
    expect(hits("/small.jpg")).toBe(2);
    expect(await sweepPictures()).toEqual({ removed: 0 });
    await age(id, 25);
    expect(await sweepPictures()).toEqual({ removed: 1 });
    expect(await readdir(path.dirname(folderOf(id)))).toEqual([]);
  });

  test("evicts the oldest pictures", async () => {
    const posts = [];
    for (let i = 0; i < 5; i++) {
      posts.push((await post()).id);
      await picture(posts[i]!);
      await age(posts[i]!, 10 - i);
    }
    const { size } = await stat((await filesOf(posts[0]!))[0]!);
    expect(await sweepPictures(5 * size)).toEqual({ removed: 0 });
    expect(await sweepPictures(3.5 * size)).toEqual({ removed: 2 });
    const left = await Promise.all(posts.map(async (id) => (await filesOf(id)).length));
    expect(left).toEqual([0, 0, 1, 1, 1]);
  });

  test("sweeps only its own files", async () => {
    await mkdir(path.join(folder, "media", "zz", "notes"), { recursive: true });
    await writeFile(path.join(folder, "media", "zz", "notes", "kept.txt"), "x");
    expect(await sweepPictures(0)).toEqual({ removed: 0 });
    expect(await readdir(path.join(folder, "media", "zz", "notes"))).toEqual(["kept.txt"]);
  });

  test("serves pictures when it cannot be written", async () => {
    await writeFile(path.join(folder, "media"), "a file where the folder should be");
    const { id } = await post();
    expect((await picture(id)).status).toBe(200);
    expect((await picture(id)).status).toBe(200);
    expect(hits("/small.jpg")).toBe(2);
    await forgetPictures([id]);
    await rm(path.join(folder, "media"));
  });
});
