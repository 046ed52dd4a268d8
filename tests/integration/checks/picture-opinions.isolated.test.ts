import { beforeEach, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { arePicturesDue, checkPictures } from "#lib/checks/pictures/check-pictures.ts";
import { engineProblem } from "#lib/checks/pictures/engine-state.ts";
import { askModel } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZE, type Scores } from "#lib/checks/pictures/models.ts";
import { classifyDue, scorePosts } from "#lib/checks/score/classify-posts.ts";
import { reviewPost } from "#lib/review/review-post.ts";
import { useMediaEnvironment } from "#tests/integration/media/media-requests.ts";
import { makePost } from "#tests/setup/factories.ts";

/* The model is replaced, so these tests also run without the optional packages. */

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

const answer = (scores: Scores) => void vi.mocked(askModel).mockResolvedValue(scores);

async function postWith(path: string): Promise<number> {
  const { id } = await makePost({ media: [medium("image", path)], media_count: 1 });
  await scorePosts([id]);
  return id;
}
const checkOf = (id: number) => db.post_check.findUniqueOrThrow({ where: { post_id: id } });

/** Checks the pictures of a new post. */
async function checked(path = "/small.jpg") {
  const id = await postWith(path);
  await checkPictures(soon());
  const post = await db.post.findUniqueOrThrow({ where: { id } });
  return { id, post, check: await checkOf(id) };
}

beforeEach(async () => {
  await db.post_check.deleteMany();
  vi.mocked(askModel).mockReset();
  vi.mocked(engineProblem).mockReturnValue(null);
});

test("the probabilities are stored and judged", async () => {
  const given = scores({ porn: 0.7, neutral: 0.3 });
  answer(given);
  const { check, post } = await checked();
  expect(vi.mocked(askModel).mock.calls.map(([{ byteLength }]) => byteLength)).toEqual([INPUT_SIZE ** 2 * 3]);
  expect(check).toMatchObject({ picture_state: "done", pictures: [{ scores: given }] });
  expect(post).toMatchObject({ vision_category: "explicit", ai_would_reject: true });
});

test("of a post that was decided before, they are checked after an undo", async () => {
  answer(harmless);
  const id = await postWith("/small.jpg");
  await reviewPost(servicePrincipal, id, { approved: false });
  await checkPictures(soon());
  expect(await checkOf(id)).toMatchObject({ picture_state: "none" });
  await reviewPost(servicePrincipal, id, { approved: null });
  await classifyDue({ limit: 10, ...soon() });
  await checkPictures(soon());
  expect(await checkOf(id)).toMatchObject({ picture_state: "done" });
});

test("of an animation, the model and the hashes get the first frame", async () => {
  answer(harmless);
  const [{ id }, frame] = [await checked("/animated.gif"), await checked("/first-frame.png")];
  const [animated, first] = vi.mocked(askModel).mock.calls.map(([pixels]) => Buffer.from(pixels));
  expect(new Set(first).size).toBeGreaterThan(3);
  expect(animated?.equals(first ?? Buffer.alloc(0))).toBe(true);
  const hashes = await db.$queryRaw<object[]>`
    SELECT count(*)::int, count(DISTINCT (dhash, phash))::int AS different FROM picture_hash
     WHERE post_id IN (${id}, ${frame.id}) AND dhash IS NOT NULL`;
  expect(hashes).toEqual([{ count: 2, different: 1 }]);
});

test("without a classifier, pictures wait until it can be used", async () => {
  answer(harmless);
  vi.mocked(engineProblem).mockReturnValue("not installed");
  const { id, check, post } = await checked();
  expect(askModel).not.toHaveBeenCalled();
  expect(check).toMatchObject({ picture_state: "waiting", pictures: [] });
  expect(post).toMatchObject({ vision_category: null, ai_would_reject: false });
  expect(await arePicturesDue()).toBe(false);
  vi.mocked(engineProblem).mockReturnValue(null);
  await checkPictures(soon());
  expect(await checkOf(id)).toMatchObject({ picture_state: "done" });
});
