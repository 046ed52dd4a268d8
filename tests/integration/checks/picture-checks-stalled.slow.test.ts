import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { judgePosts } from "#lib/checks/verdict/judge-posts.ts";
import { showChecks } from "#lib/checks/score/show-checks.ts";
import { db } from "#lib/db.ts";
import { checkPictures } from "#lib/checks/pictures/check-pictures.ts";
import { makePost } from "#tests/setup/factories.ts";
import { describeWithModels } from "#tests/setup/models.ts";
import { mediaAt, useMediaEnvironment } from "#tests/integration/media/media-requests.ts";

const { environment, slow } = await vi.hoisted(async () => {
  const { startMediaEnvironment } = await import("#tests/integration/media/media-environment.ts");
  const environment = await startMediaEnvironment();
  const slow = await startSlowServer();
  process.env.ALLOWED_PRIVATE_HOSTS += ` ${slow.origin}`;
  return { environment, slow };

  /** `/endless` sends without end, `/stalled` stops after the first bytes, `/silent` sends nothing. */
  async function startSlowServer() {
    const { createServer } = await import("node:http");
    const server = createServer((request, response) => {
      if (request.url === "/silent") return;
      response.writeHead(200, { "content-type": "image/jpeg" });
      response.write(Buffer.from([0xff, 0xd8, 0xff]));
      if (request.url === "/endless") pour(response);
    });
    const pour = (response: ServerResponse) => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 7)));
      response.once("drain", () => pour(response));
    };
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }
});
const { medium } = useMediaEnvironment(environment);

describeWithModels("a picture of a slow server", () => {
  test(
    "is given up after a time, tried again later when that may help, and delays no other post",
    { timeout: 90_000 },
    async () => {
      const at = mediaAt(slow.origin);
      // Loading the model takes longer than the time limits on a busy machine.
      const first = await makePost({ media: [medium("image", "/small.jpg?first")], media_count: 1 });
      await classifyPosts([first.id]);
      await checkPictures({ deadline: new Date(Date.now() + 60_000) }, async (postIds) => {
        await judgePosts(postIds);
      });
      const ids: number[] = [];
      for (const each of [
        at("image", "/endless"),
        at("image", "/stalled"),
        at("image", "/silent"),
        medium("image", "/small.jpg"),
      ]) {
        ids.push((await makePost({ media: [each], media_count: 1 })).id);
      }
      await classifyPosts(ids);
      const judgedAt = new Map<number, number>();
      const begun = Date.now();
      await checkPictures({ deadline: new Date(begun + 60_000) }, async (postIds) => {
        for (const id of postIds) judgedAt.set(id, Date.now() - begun);
        await judgePosts(postIds);
      });
      expect(Date.now() - begun).toBeLessThan(45_000);
      const rows = await db.post_check.findMany({
        where: { post_id: { in: ids } },
        orderBy: { post_id: "asc" },
      });
      expect(rows.map((row) => row.picture_state)).toEqual(["unavailable", "waiting", "waiting", "done"]);
      const [endless, stalled, silent, good] = ids.map((id) => judgedAt.get(id) ?? NaN);
      expect(good).toBeLessThan(Math.min(stalled ?? 0, silent ?? 0));
      expect(endless).toBeLessThan(stalled ?? 0);
      const posts = await db.post.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
      expect(posts.map((post) => post.ai_would_reject)).toEqual([false, false, false, false]);
      const why = async (id: number) => (await showChecks(id)).checks.map((check) => check.reason);
      expect(await why(ids[1] ?? 0)).toContainEqual(
        expect.stringMatching(/^Not yet: \S+ did not answer in time\. Next try at \d{4}-\S+Z\.$/),
      );
      slow.server.closeAllConnections();
      slow.server.close();
    },
  );
});
