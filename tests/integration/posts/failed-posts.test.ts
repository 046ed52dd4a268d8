import { beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { FailedPosts } from "#lib/review/failed-schema.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

let key: string;
beforeEach(async () => {
  key = await makeKey({ scopes: ["read"] });
  await db.post.deleteMany();
});

async function list(query = ""): Promise<FailedPosts["items"]> {
  const answer = await sender({ key })<FailedPosts>(`GET curated/errors${query}`);
  expect(answer.status).toBe(200);
  return answer.json.items;
}

/** The n-th report, in order of time. */
async function fail(n: number, entry: object = {}, post: Parameters<typeof makePending>[0] = {}) {
  const { id } = await makePending(post);
  await db.queue_entry.update({
    where: { post_id: id },
    data: {
      state: "error",
      errored_at: new Date(Date.UTC(2026, 4, 1) + n * 60_000),
      error_reason: "Gone",
      ...entry,
    },
  });
  return id;
}

describe("GET /curated/errors", () => {
  test("shows the post, its attempts and the bot that reported it", async () => {
    const id = await fail(
      1,
      { lease_label: "Boost bot", deliveries: 3, nacks: 1, timeouts: 1, error_reason: "Not found" },
      {
        snippet: "A heron",
        sensitive: true,
        media: [{ type: "image", url: "https://a.example/1.jpg", description: "A heron in the reeds" }],
      },
    );
    const [post] = await list();
    expect(post).toMatchObject({
      id,
      content_snippet: "A heron",
      error_reason: "Not found",
      errored_at: "2026-05-01T00:01:00.000Z",
      reported_by: "Boost bot",
      delivery_count: 3,
      nack_count: 1,
      timeouts: 1,
      media_covered: true,
      matched: null,
    });
    expect(post?.media_attachments[0]).toMatchObject({ description: "A heron in the reeds" });
  });

  test("without a reason lists the newest three of each, newest first", async () => {
    const gone: number[] = [];
    for (let n = 0; n < 5; n++) gone.push(await fail(n));
    const other = await fail(10, { error_reason: "Other" });
    await makePending();
    expect((await list()).map(({ id }) => id)).toEqual([other, gone[4], gone[3], gone[2]]);
  });

  test("of duplicates names the stored post that was matched", async () => {
    const matched = (
      await makePending({ sensitive: true, media: [{ type: "image", url: "https://b.example/1.jpg" }] })
    ).id;
    const details = (matched_post_id: unknown) => ({
      error_details: { error_type: "duplicate_attachment", matched_post_id },
    });
    const known = await fail(1, details(String(matched)));
    const unknown = await fail(2, details("123456789"));
    const odd = await fail(3, details({ a: 1 }));
    const huge = await fail(4, details(99_999_999_999));
    await fail(5, { error_details: { error_type: "nobot" } });
    const posts = await list("?duplicates=true");
    expect(posts.map(({ id }) => id)).toEqual([huge, odd, unknown, known]);
    expect(posts.map((post) => post.matched?.post_id ?? null)).toEqual([null, null, null, matched]);
    expect(posts[3]?.matched?.media_covered).toBe(true);
  });
});
