import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { arePicturesDue, checkPictures } from "#lib/checks/pictures/check-pictures.ts";
import { scorePosts } from "#lib/checks/score/classify-posts.ts";
import { claimPost, settleClaim } from "#lib/checks/verdict/later-checks.ts";
import { forgetFailures } from "#lib/media/fetch-bytes.ts";
import { useMediaEnvironment } from "#tests/integration/media/media-requests.ts";
import { editMedia, makePost } from "#tests/setup/factories.ts";
import { describeWithModels, loadedClassifiers } from "#tests/setup/models.ts";

const environment = await vi.hoisted(async () => {
  process.env.AI_VISION = "local";
  return (await import("#tests/integration/media/media-environment.ts")).startMediaEnvironment();
});
const { medium, hits } = useMediaEnvironment(environment);

beforeEach(async () => {
  await db.post_check.deleteMany();
  await db.picture_hash.deleteMany();
});

const MINUTE = 60_000;
const soon = () => ({ deadline: new Date(Date.now() + MINUTE) });
const check = () => checkPictures(soon());
const claim = () => claimPost("picture");
const checksOf = (id: number) => db.post_check.findUniqueOrThrow({ where: { post_id: id } });
const verdictOf = (id: number) => db.post.findUniqueOrThrow({ where: { id } });
const makeDue = (id: number) =>
  db.post_check.update({ where: { post_id: id }, data: { picture_due_at: new Date(Date.now() - 1) } });
const minutesUntil = (time: Date | null) => Math.round(((time?.getTime() ?? 0) - Date.now()) / MINUTE);

/** A post whose text was checked, so that its pictures wait. */
async function postWith(...media: ReturnType<typeof medium>[]): Promise<number> {
  const { id } = await makePost({ media, media_count: media.length });
  await scorePosts([id]);
  return id;
}

interface Stored {
  medium: number;
  state: string;
  error: string | null;
  scores: Record<string, number> | null;
  engine: string;
}
const picturesOf = async (id: number) => (await checksOf(id)).pictures as unknown as Stored[];

describeWithModels("a post's pictures", () => {
  test("are classified in the background, and the post stays as it is", async () => {
    const id = await postWith(medium("image", "/large.jpg", "/small.jpg"));
    expect(await verdictOf(id)).toMatchObject({ vision_category: null, ai_would_reject: false });
    expect(await arePicturesDue()).toBe(true);
    expect(await check()).toEqual({ worked: true });
    const [picture, ...others] = await picturesOf(id);
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ medium: 0, state: "done", error: null });
    expect(picture?.engine).toBe("mobilenet_v2_mid@4.3.0");
    const sum = Object.values(picture?.scores ?? {}).reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(1, 4);
    expect(await checksOf(id)).toMatchObject({ picture_state: "done", picture_due_at: null });
    const post = await verdictOf(id);
    expect(post).toMatchObject({ ai_would_reject: false, approved: null });
    expect(["drawing", "neutral"]).toContain(post.vision_category);
    expect(post.vision_confidence).toBeGreaterThan(0.5);
    expect(await check()).toEqual({ worked: false });
    // A child process has the models.
    expect(loadedClassifiers()).toEqual([]);
  });

  test("are fetched as previews, at most four, with the hashes stored", async () => {
    const image = medium("image", "/large.jpg", "/small.jpg");
    const id = await postWith(
      medium("audio", "/film.mp4"),
      medium("video", "/film.mp4", "/clear.png"),
      image,
      image,
      medium("image", "/large.jpg"),
      medium("image", "/mislabelled"),
    );
    await check();
    expect((await picturesOf(id)).map((picture) => picture.medium)).toEqual([1, 2, 3, 4]);
    expect([hits("/film.mp4"), hits("/large.jpg"), hits("/mislabelled")]).toEqual([0, 1, 0]);
    const hashes = await db.picture_hash.findMany({ where: { post_id: id }, orderBy: { medium: "asc" } });
    expect(hashes.map((hash) => hash.medium)).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ["a damaged picture", "/torn.jpg", /damaged/],
    ["20 000 × 20 000 pixels", "/bomb.png", /too much memory/],
    ["more than 8 MiB", "/heavy", /larger|large|big|MiB/],
    ["a redirect into a private network", "/inward", /^169\.254\.169\.254 is not a public address/],
  ])("that cannot be read give no vote at once: %s", async (_name, path, sentence) => {
    const id = await postWith(medium("image", path));
    await check();
    const [picture] = await picturesOf(id);
    expect(picture).toMatchObject({ state: "failed", scores: null });
    expect(picture?.error).toMatch(sentence);
    expect(await checksOf(id)).toMatchObject({
      picture_state: "unavailable",
      picture_due_at: null,
    });
    const post = await verdictOf(id);
    expect(post).toMatchObject({ vision_category: "unavailable", ai_would_reject: false });
    expect(JSON.stringify(post.ai_checks)).toContain(picture?.error);
    expect(await check()).toEqual({ worked: false });
  });

  test("are tried again after 1, 5 and 30 minutes, 2 and 12 hours, and then are unavailable", async () => {
    const id = await postWith(medium("image", "/broken"));
    for (const minutes of [1, 5, 30, 120, 720]) {
      await check();
      expect(await checksOf(id)).toMatchObject({ picture_state: "waiting" });
      expect(minutesUntil((await checksOf(id)).picture_due_at)).toBe(minutes);
      await makeDue(id);
      forgetFailures();
      await db.host_state.deleteMany();
    }
    await check();
    expect(await checksOf(id)).toMatchObject({ picture_state: "unavailable", picture_due_at: null });
    expect(await picturesOf(id)).toMatchObject([
      { error: expect.stringContaining("answered 500") as string },
    ]);
  });

  test("wait as long as their server asks, which is no failed attempt", async () => {
    const id = await postWith(medium("image", "/busy"));
    await check();
    expect(await checksOf(id)).toMatchObject({ picture_state: "waiting", picture_attempts: 1 });
    forgetFailures();
    await makeDue(id);
    await check();
    const { picture_attempts, picture_due_at } = await checksOf(id);
    expect(picture_attempts).toBe(1);
    expect(minutesUntil(picture_due_at)).toBe(10);
    expect(hits("/busy")).toBe(1);
  });
});

describeWithModels("a check of pictures", () => {
  test("is done by one of two processes", async () => {
    await postWith(medium("image", "/small.jpg"));
    const claims = await Promise.all([claim(), claim()]);
    expect(claims.filter((each) => each !== null)).toHaveLength(1);
    expect(await arePicturesDue()).toBe(false);
  });

  test("is repeated after the lease of a process that ended, which then stores nothing", async () => {
    const id = await postWith(medium("image", "/small.jpg"));
    const late = await claim();
    expect(await check()).toEqual({ worked: false });
    await makeDue(id);
    expect(await settleClaim("picture", late!, unavailable)).toBe(false);
    expect(await check()).toEqual({ worked: true });
    expect(await checksOf(id)).toMatchObject({ picture_state: "done" });
  });

  test("stores nothing after an edit of the pictures", async () => {
    const id = await postWith(medium("image", "/gone"));
    const claimed = await claim();
    await editMedia(id, [medium("image", "/small.jpg")]);
    expect(await settleClaim("picture", claimed!, unavailable)).toBe(false);
    expect(await checksOf(id)).toMatchObject({ picture_state: "waiting", pictures: [] });
    expect(await arePicturesDue()).toBe(true);
  });
});

const unavailable = { state: "unavailable", attempts: 0, due_at: null };
