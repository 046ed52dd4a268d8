import { beforeEach, describe, expect, test, vi } from "vitest";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { judgePosts } from "#lib/checks/verdict/judge-posts.ts";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { checkPictures } from "#lib/checks/pictures/check-pictures.ts";
import { engineState, engineUse } from "#lib/checks/pictures/engine-state.ts";
import { askModel, EngineFailure } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZES, type Scores } from "#lib/checks/pictures/model-names.ts";
import { makePost } from "#tests/setup/factories.ts";
import { useMediaEnvironment } from "#tests/integration/media/media-requests.ts";

/* Both models are replaced, so these tests also run without the optional packages. */

const environment = await vi.hoisted(async () => {
  process.env.AI_VISION = "local";
  return (await import("#tests/integration/media/media-environment.ts")).startMediaEnvironment();
});
const { medium } = useMediaEnvironment(environment);
vi.mock("#lib/checks/pictures/engine-state.ts", { spy: true });
vi.mock("#lib/checks/pictures/engine.ts", async (original) => ({
  ...(await original<object>()),
  askModel: vi.fn(),
}));

const soon = () => ({ deadline: new Date(Date.now() + 60_000) });
const scores = (given: Partial<Scores>): Scores => ({
  drawing: 0,
  hentai: 0,
  neutral: 0,
  porn: 0,
  sexy: 0,
  ...given,
});
const harmless = scores({ neutral: 1 });

/** @param second null: the second model fails */
function answer(first: Scores, second: Scores | null = harmless) {
  vi.mocked(askModel).mockImplementation((model) => {
    if (model === "first") return Promise.resolve({ scores: first, vector: new Int8Array(256).fill(1) });
    if (second === null) return Promise.reject(new EngineFailure("failed", "The model does not load."));
    return Promise.resolve({ scores: second, vector: null });
  });
}
const asked = () => vi.mocked(askModel).mock.calls.map(([model]) => model);

async function postWith(path: string): Promise<number> {
  const { id } = await makePost({ media: [medium("image", path)], media_count: 1 });
  await classifyPosts([id]);
  return id;
}
const checkOf = (id: number) => db.post_check.findUniqueOrThrow({ where: { post_id: id } });

/** Checks the pictures of a new post. */
async function checked(path = "/small.jpg") {
  const id = await postWith(path);
  await checkPictures(soon(), judgePosts);
  const post = await db.post.findUniqueOrThrow({ where: { id } });
  return { id, post, check: await checkOf(id) };
}

beforeEach(async () => {
  await db.post_check.deleteMany();
  vi.mocked(askModel).mockReset();
  vi.mocked(engineUse).mockReturnValue({ state: "ready", reason: null });
  env().AI_SECOND_OPINION = true;
});

describe("the second model", () => {
  test("is not asked below 0.30", async () => {
    const first = scores({ porn: 0.15, hentai: 0.14, neutral: 0.71 });
    answer(first);
    const { check, post } = await checked();
    expect(asked()).toEqual(["first"]);
    expect(check).toMatchObject({ picture_state: "done", pictures: [{ first, second: null }] });
    expect(post.vision_category).toBe("neutral");
  });

  test("is asked from 0.30 on, with a picture of its own size, and the mean of both counts", async () => {
    const first = scores({ porn: 0.3, neutral: 0.7 });
    const second = scores({ porn: 0.95, neutral: 0.05 });
    answer(first, second);
    const { check, post } = await checked();
    expect(vi.mocked(askModel).mock.calls.map(([model, { byteLength }]) => [model, byteLength])).toEqual([
      ["first", INPUT_SIZES.first ** 2 * 3],
      ["second", INPUT_SIZES.second ** 2 * 3],
    ]);
    expect(check).toMatchObject({ picture_state: "done", pictures: [{ first, second }] });
    expect(post).toMatchObject({ vision_category: "explicit", ai_would_reject: true });
    expect(post.vision_confidence).toBeCloseTo(0.625, 3);
  });

  test("can overrule the first one", async () => {
    answer(scores({ porn: 0.9, neutral: 0.1 }), scores({ porn: 0.1, neutral: 0.9 }));
    const { post } = await checked();
    expect(post).toMatchObject({ vision_category: "uncertain", ai_would_reject: false });
  });

  test("is never asked with AI_SECOND_OPINION=off", async () => {
    env().AI_SECOND_OPINION = false;
    const first = scores({ porn: 0.9, neutral: 0.1 });
    answer(first);
    const { check, post } = await checked();
    expect(asked()).toEqual(["first"]);
    expect(check).toMatchObject({ picture_state: "done", pictures: [{ first, second: null }] });
    expect(post.vision_category).toBe("explicit");
  });

  test("may fail: the first opinion counts alone, with its higher threshold", async () => {
    const first = scores({ porn: 0.69, neutral: 0.31 });
    answer(first, null);
    const { check, post } = await checked();
    expect(asked()).toEqual(["first", "second"]);
    expect(check).toMatchObject({
      picture_state: "done",
      picture_due_at: null,
      pictures: [{ state: "done", first, second: null }],
    });
    expect(post).toMatchObject({ vision_category: "uncertain", ai_would_reject: false });
  });
});

test("of an animation, the models and the hashes get the first frame", async () => {
  answer(harmless);
  const [{ id }, frame] = [await checked("/animated.gif"), await checked("/first-frame.png")];
  const [animated, first] = vi.mocked(askModel).mock.calls.map(([, pixels]) => Buffer.from(pixels));
  expect(new Set(first).size).toBeGreaterThan(3);
  expect(animated?.equals(first ?? Buffer.alloc(0))).toBe(true);
  const hashes = await db.$queryRaw<object[]>`
    SELECT count(*)::int, count(DISTINCT (dhash, phash))::int AS different FROM picture_hash
     WHERE post_id IN (${id}, ${frame.id}) AND dhash IS NOT NULL`;
  expect(hashes).toEqual([{ count: 2, different: 1 }]);
});

describe("without classifiers", () => {
  test("hashes are stored, and the pictures wait until the classifiers can be used", async () => {
    answer(harmless);
    vi.mocked(engineUse).mockReturnValue({ state: "packages missing", reason: "not installed" });
    const { id, check, post } = await checked();
    expect(asked()).toEqual([]);
    expect(await db.picture_hash.count({ where: { post_id: id } })).toBe(1);
    expect(check).toMatchObject({ picture_state: "waiting", picture_due_at: null, pictures: [] });
    expect(post).toMatchObject({ vision_category: null, ai_would_reject: false });
    vi.mocked(engineUse).mockReturnValue({ state: "ready", reason: null });
    // A later process.
    vi.resetModules();
    const later = await import("#lib/checks/pictures/check-pictures.ts");
    await later.checkPictures(soon(), judgePosts);
    expect(await checkOf(id)).toMatchObject({ picture_state: "done" });
  });

  test("the missing package is named", async () => {
    vi.mocked(engineUse).mockRestore();
    const cwd = vi.spyOn(process, "cwd").mockReturnValue("/");
    const state = await engineState();
    cwd.mockRestore();
    expect(state).toMatchObject({
      state: "packages missing",
      reason: expect.stringContaining("@tensorflow/tfjs-core is not installed") as string,
    });
  });
});
