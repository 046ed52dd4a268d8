import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { HOME, image, ingest, nothing, postOf, status, target } from "./ingest-samples.ts";

describe("storing posts", () => {
  test("stores emoji of text and author name, each shortcode once, the text's first", async () => {
    const emoji = (shortcode: string, from: string) => ({
      shortcode,
      url: `https://files.home.example/${from}-${shortcode}.png`,
    });
    const sent = status({
      content: "<p>:wave: :ok:</p>",
      emojis: [emoji("wave", "text"), emoji("ok", "text")],
      account: { display_name: "Dora :ok: :cat:", emojis: [emoji("ok", "name"), emoji("cat", "name")] },
    });
    await ingest(await target(), [sent]);
    expect((await postOf(sent)).emojis).toEqual([
      emoji("wave", "text"),
      emoji("ok", "text"),
      emoji("cat", "name"),
    ]);
  });

  test("stores a post once with all fields and its stream", async () => {
    const stream = await target();
    const sent = status({
      content: '<p>Look: <a href="https://example.org/x">a cat</a> <script>alert(1)</script></p>',
      spoiler_text: "cat",
      media_attachments: [image()],
      reblogs_count: 3,
      favourites_count: 2,
      replies_count: 1,
      tags: [{ name: "Cats" }, { name: "Café" }],
    });
    const result = await ingest(stream, [sent]);
    const post = await postOf(sent);
    expect(result).toEqual({ ...nothing, new: 1, taken: 1 });
    expect(post).toMatchObject({
      url: sent.url,
      plain_text: "Look: a cat",
      snippet: "Look: a cat",
      spoiler_text: "cat",
      hashtags: ["Cats", "Café"],
      hashtags_folded: ["cats", "cafe"],
      media_count: 1,
      boosts: 3,
      likes: 2,
      replies: 1,
      language: "en",
      instance: HOME,
      from_home: true,
      has_https_address: true,
      approved: null,
      reviewed_at: null,
      stream_id: stream.id,
      stream_hashtag: stream.hashtag,
      stream_hashtag_folded: stream.hashtag_folded,
      classified_at: null,
    });
    expect(post.content).not.toContain("script");
    expect(post.author_account).toBe(`@${String(sent.account["username"])}@${HOME}`);
    expect(post.consent).toMatchObject({ policy: "moderate", indexable: false, profile_seen: true });
    const found = await db.$queryRaw`SELECT id FROM post WHERE search @@ 'cafe'::tsquery AND id = ${post.id}`;
    expect(found).toHaveLength(1);
    expect(await db.sighting.findMany({ where: { post_id: post.id } })).toMatchObject([
      { stream_id: stream.id, remote_id: sent.id },
    ]);
  });

  test("stops before the post that would exceed max_new", async () => {
    const stream = await target();
    const known = status();
    await ingest(stream, [known]);
    const page = [status(), known, status(), status({ visibility: "private" }), status(), status()];
    const first = await ingest(stream, page, { max_new: 2 });
    expect(first).toMatchObject({ new: 2, duplicates: 1, dropped: { not_public: 1 }, taken: 4 });
    expect(await ingest(stream, page.slice(first.taken), { max_new: 2 })).toMatchObject({ new: 2, taken: 2 });
    expect(await ingest(stream, page, { max_new: 0 })).toMatchObject({ new: 0, duplicates: 5, taken: 6 });
  });
});

describe("laws", () => {
  const snapshot = async (uris: string[]) =>
    (
      await db.post.findMany({
        where: { uri: { in: uris } },
        orderBy: { uri: "asc" },
        select: {
          uri: true,
          content: true,
          approved: true,
          boosts: true,
          edited_at: true,
          auto_reject_reason: true,
        },
      })
    ).map((post) => ({ ...post, edited_at: post.edited_at?.toISOString() ?? null }));

  test("ingesting twice equals once", async () => {
    const stream = await target();
    const page = Array.from({ length: 12 }, (_, n) =>
      status({ media_attachments: n % 2 ? [image()] : [], account: n === 3 ? { note: "#nobot" } : {} }),
    );
    const first = await ingest(stream, page);
    expect(first).toMatchObject({ new: 11, dropped: { refusal_tag: 1 } });
    const before = await snapshot(page.map((each) => each.uri));
    const counted = async () => [await sumsOf("level", stream.id), await sumsOf("total", stream.id)];
    const figures = await counted();
    expect(await ingest(stream, page)).toMatchObject({
      ...nothing,
      duplicates: 11,
      dropped: { refusal_tag: 1 },
    });
    expect(await snapshot(page.map((each) => each.uri))).toEqual(before);
    expect(await counted()).toEqual(figures);
  });

  test("the order and size of pages do not change the result", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }).chain((n) =>
          fc.record({
            order: fc.shuffledSubarray(
              Array.from({ length: 2 * n }, (_, i) => i),
              { minLength: 2 * n, maxLength: 2 * n },
            ),
            page: fc.integer({ min: 1, max: 2 * n }),
          }),
        ),
        async ({ order, page }) => {
          const stream = await target();
          const edited = new Date().toISOString();
          // The later version wins in any order of arrival.
          const versions = Array.from({ length: order.length / 2 }, () => {
            const before = status({ reblogs_count: 1 });
            return [before, { ...before, content: "<p>Changed</p>", edited_at: edited, reblogs_count: 1 }];
          }).flat();
          const walk = order.flatMap((index) => versions[index] ?? []);
          for (let from = 0; from < walk.length; from += page)
            await ingest(stream, walk.slice(from, from + page));
          // A repeated post counts once, because pages overlap.
          await ingest(
            stream,
            versions.filter((version) => version.edited_at !== null),
          );
          const stored = await snapshot(versions.map((each) => each.uri));
          expect(stored).toHaveLength(versions.length / 2);
          expect(stored.every((post) => post.content === "<p>Changed</p>" && post.edited_at === edited)).toBe(
            true,
          );
        },
      ),
      { numRuns: 12 },
    );
  });

  test("parallel streams store each post once, with the sightings of all", async () => {
    const known = status();
    const page = [...Array.from({ length: 19 }, () => status()), known, known];
    const streams = await Promise.all([target(), target(), target(), target()]);
    const results = await Promise.all(
      streams.map((stream, n) => ingest(stream, n % 2 ? page : page.toReversed())),
    );
    expect(results.reduce((sum, result) => sum + result.new, 0)).toBe(20);
    expect(results.reduce((sum, result) => sum + result.duplicates, 0)).toBe(64);
    expect(
      await db.sighting.count({ where: { stream_id: { in: streams.map((stream) => stream.id) } } }),
    ).toBe(80);
  });
});
