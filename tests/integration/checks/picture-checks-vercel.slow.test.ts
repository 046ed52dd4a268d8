import { expect, test, vi } from "vitest";
import { GET as getTick } from "#app/api/cron/tick/route.ts";
import { db } from "#lib/base/db.ts";
import { scorePosts } from "#lib/checks/score/classify-posts.ts";
import { useMediaEnvironment } from "#tests/integration/media/media-requests.ts";
import { makePost } from "#tests/setup/factories.ts";
import { describeWithModels, loadedClassifiers } from "#tests/setup/models.ts";
import { childrenOf } from "#tests/setup/program.ts";

const SECRET = "a secret for tests only";
const environment = await vi.hoisted(async () => {
  process.env.VERCEL = "1";
  process.env.CRON_SECRET = "a secret for tests only";
  return (await import("#tests/integration/media/media-environment.ts")).startMediaEnvironment();
});
const { medium } = useMediaEnvironment(environment);

describeWithModels("on Vercel", () => {
  test("the tick checks pictures in the function, without a process", async () => {
    const { id } = await makePost({ media: [medium("image", "/small.jpg")], media_count: 1 });
    await scorePosts([id]);
    const request = new Request("http://localhost:3000/api/cron/tick", {
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect((await getTick(request, { params: Promise.resolve({}) })).status).toBe(200);
    expect(await db.post_check.findUnique({ where: { post_id: id } })).toMatchObject({
      picture_state: "done",
      picture_due_at: null,
    });
    const { vision_category } = await db.post.findUniqueOrThrow({ where: { id } });
    expect(["drawing", "neutral"]).toContain(vision_category);
    expect(childrenOf(process.pid, "sluice-pictures")).toEqual([]);
    expect(loadedClassifiers()).not.toEqual([]);
  });
});
