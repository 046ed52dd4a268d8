import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { GET as getPostMedia } from "#app/media/post/[id]/[n]/route.ts";
import { makePost } from "#tests/setup/factories.ts";
import { mediaAt, requestMedia, useMediaEnvironment } from "./media-requests.ts";

/* A host that accepts requests for pictures and does not answer them. */

const { environment, slow } = await vi.hoisted(async () => {
  const environment = await (await import("./media-environment.ts")).startMediaEnvironment();
  const { startSlowHost } = await import("./media-environment.ts");
  const slow = await startSlowHost();
  process.env.ALLOWED_PRIVATE_HOSTS += `,${slow.origin}`;
  return { environment, slow };
});
const { viewer, medium } = useMediaEnvironment(environment);
const atSlowHost = mediaAt(slow.origin);
const picture = (id: number) => requestMedia(getPostMedia, { id, n: 0 }, { headers: viewer });

/** Requests for pictures of the slow host, and the number of those that have an answer. */
async function requestSlow(count: number) {
  let answered = 0;
  const posts = await Promise.all(
    Array.from({ length: count }, (_, n) => makePost({ media: [atSlowHost("image", `/${n}.jpg`)] })),
  );
  const answers = posts.map(async (post) => {
    const answer = await picture(post.id);
    answered++;
    return answer.headers.get("x-media-error");
  });
  return { answers, answered: () => answered };
}

beforeEach(slow.stall);
afterAll(slow.close);

it("does not delay pictures of other hosts", async () => {
  const { answers, answered } = await requestSlow(12);
  await expect.poll(() => slow.open.size, { timeout: 8_000 }).toBe(2);
  const other = await makePost({ media: [medium("image", "/small.jpg")] });
  expect((await picture(other.id)).status).toBe(200);
  expect(answered()).toBe(0);
  slow.refuse();
  await Promise.all(answers);
});
