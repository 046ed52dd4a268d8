import { beforeEach, describe, expect, it, vi } from "vitest";
import { db, type Prisma } from "#lib/base/db.ts";
import * as envModule from "#lib/base/env.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { deleteStream } from "#lib/collect/streams.ts";
import { applyHoldChanges } from "#lib/queue/hold-changes.ts";
import { enqueuePosts, refreshEntries } from "#lib/queue/queue-entries.ts";
import { weekdays } from "#lib/queue/topical-schema.ts";
import { createTopicalTag, deleteTopicalTag } from "#lib/queue/topical-tags.ts";
import { makeKey, makePending, makeStream, picture, setSwitches } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";
import { emptyQueue, next, giveBack } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second));

const today = async () => {
  const [row] = await db.$queryRaw<
    { dow: number; md: string }[]
  >`SELECT extract(dow FROM now() AT TIME ZONE 'UTC')::int AS dow, to_char(now() AT TIME ZONE 'UTC', 'MM-DD') AS md`;
  return row as { dow: number; md: string };
};
const ruleFor = async (hashtag: string, daysAhead: number) =>
  createTopicalTag(servicePrincipal, {
    hashtag,
    topical_day_of_week: weekdays[((await today()).dow + daysAhead) % 7] ?? null,
  });
const ruleForToday = (hashtag: string) => ruleFor(hashtag, 0);
const ruleForAnotherDay = (hashtag: string) => ruleFor(hashtag, 1);

/** include_topical, topical_only, topical day, topical posts → result. */
const table: [string, boolean, boolean, "topical" | "normal" | 204][] = [
  ["", true, true, "normal"],
  ["topical_only=true", true, true, "normal"],
  ["include_topical=true", true, true, "topical"],
  ["include_topical=true", true, false, "normal"],
  ["include_topical=true", false, true, "normal"],
  ["include_topical=true&topical_only=true", true, true, "topical"],
  ["include_topical=true&topical_only=true", true, false, 204],
  ["include_topical=true&topical_only=true", false, true, 204],
];

describe("topical choice", () => {
  it.each(table)(
    "%s, topical day %s, topical posts %s → %s",
    async (query, topicalDay, available, result) => {
      await (topicalDay ? ruleForToday : ruleForAnotherDay)("caturday");
      const normal = await makePending({ hashtags: ["dogs"] }, at(0));
      const topical = available ? await makePending({ hashtags: ["Caturday"] }, at(1)) : null;
      for (const random of ["", "random=1"]) {
        const answer = await next(key, [query, random].filter(Boolean).join("&"));
        if (result === 204) {
          expect(answer.status).toBe(204);
        } else {
          expect(answer.json.is_topical).toBe(result === "topical");
          if (result === "topical") expect(answer.json.fenliu_post_id).toBe(topical?.id);
          else if (random === "") expect(answer.json.fenliu_post_id).toBe(normal.id);
          await giveBack(answer.json.fenliu_post_id);
        }
      }
    },
  );

  it("matches folded hashtags of post and stream, by date and weekday", async () => {
    const { md } = await today();
    await db.topical_tag.create({ data: { hashtag: "Füchse", hashtag_folded: "fuchse", month_day: md } });
    const stream = await makeStream({ hashtag: "FÜCHSE" });
    const tagged = await makePending({ hashtags: ["fÜchse"] }, at(2));
    const streamed = await makePending({ hashtags: [], stream_id: stream.id }, at(1));
    expect((await next(key, "include_topical=1")).json.fenliu_post_id).toBe(streamed.id);
    expect((await next(key, "include_topical=1")).json.fenliu_post_id).toBe(tagged.id);
  });

  it("uses the day in TIME_ZONE", async () => {
    // 26 hours apart: never the same day.
    const here = "Pacific/Kiritimati";
    const elsewhere = "Etc/GMT+12";
    await db.$executeRaw`
      INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week, month_day)
      VALUES ('owls', 'owls', extract(dow FROM now() AT TIME ZONE ${here})::int, NULL),
             ('birds', 'birds', NULL, to_char(now() AT TIME ZONE ${here}, 'MM-DD'))`;
    const posts = [];
    for (let i = 0; i < 8; i++) posts.push((await makePending({ hashtags: [i % 2 ? "owls" : "birds"] })).id);
    const settings = envModule.env();
    const query = "include_topical=1&topical_only=1";
    const statuses = async (zone: string, times: number) => {
      vi.spyOn(envModule, "env").mockReturnValue({ ...settings, TIME_ZONE: zone });
      const answers = await Promise.all(Array.from({ length: times }, () => next(key, query)));
      return answers.map((answer) => answer.status);
    };
    expect(await statuses(elsewhere, 1)).toEqual([204]);
    expect(await statuses(elsewhere, 6)).toEqual(Array(6).fill(204));
    expect([...(await statuses(here, 1)), ...(await statuses(here, 7))]).toEqual(Array(8).fill(200));
  });

  it("follows added and removed rules and posts", async () => {
    const post = await makePending({ hashtags: ["owls", "birds"] });
    const owls = await ruleForToday("owls");
    await ruleForToday("birds");
    await deleteTopicalTag(servicePrincipal, owls.id);
    expect((await next(key, "include_topical=1")).json).toMatchObject({
      fenliu_post_id: post.id,
      is_topical: true,
    });
  });

  it("follows changes of a pending post's hashtags, media and stream", async () => {
    await ruleForToday("owls");
    await setSwitches({ require_media: true });
    const stream = await makeStream();
    const bound = await makeKey({ stream_ids: [stream.id] });
    const { id } = await makePending({ hashtags: ["dogs"], stream_id: stream.id });
    const change = async (data: Prisma.postUncheckedUpdateInput) => {
      await db.post.update({ where: { id }, data });
      await db.$transaction((tx) => refreshEntries(tx, [id]));
    };
    const query = "include_topical=1&topical_only=1";
    await change({ hashtags: ["owls"], hashtags_folded: ["owls"] });
    expect((await next(bound, query)).status).toBe(204);
    await change({ media: [picture()], media_count: 1 });
    expect((await next(bound, query)).json.fenliu_post_id).toBe(id);
    await giveBack(id);
    await deleteStream(servicePrincipal, stream.id);
    expect((await next(bound, query)).status).toBe(204);
    expect((await next(key, query)).json.fenliu_post_id).toBe(id);
  });

  it("hands out in the order of approvals across tags and streams", async () => {
    await ruleForToday("owls");
    await ruleForToday("ﷺ"); // Its folded form has spaces.
    await ruleForAnotherDay("cats");
    const stream = await makeStream();
    const tags = [["owls"], [], ["ﷺ", "owls"], ["cats"], ["ﷺ", "cats"], ["owls"], [], ["cats", "owls"]];
    const posts: { id: number; topical: boolean; own: boolean }[] = [];
    for (const [n, hashtags] of tags.entries())
      for (const own of [n % 2 === 0, n % 2 === 1]) {
        const { id } = await makePending(own ? { hashtags, stream_id: stream.id } : { hashtags }, at(n));
        posts.push({ id, own, topical: hashtags.some((tag) => tag !== "cats") });
      }
    const all = async (query: string) => {
      const ids: number[] = [];
      for (;;) {
        const { status, json } = await next(key, query);
        if (status !== 200) break;
        ids.push(json.fenliu_post_id);
      }
      for (const id of ids) await giveBack(id);
      return ids;
    };
    const idsOf = (of: typeof posts) => of.map(({ id }) => id);
    const topical = "include_topical=1&topical_only=1";
    expect(await all(topical)).toEqual(idsOf(posts.filter((post) => post.topical)));
    expect(await all(`${topical}&stream_id=${stream.id}`)).toEqual(
      idsOf(posts.filter((post) => post.topical && post.own)),
    );
    expect(await all(`stream_id=${stream.id}`)).toEqual(idsOf(posts.filter((post) => post.own)));
    expect(await all("")).toEqual(idsOf(posts));
  });

  it("finds a post whose approval read the rules before a new one", async () => {
    const { id } = await makePending({ hashtags: ["owls"] });
    await db.queue_entry.delete({ where: { post_id: id } });
    await db.$transaction(async (tx) => {
      await enqueuePosts(tx, [id], new Date());
      await ruleForToday("owls");
    });
    expect(await db.queue_entry.findUniqueOrThrow({ where: { post_id: id } })).toMatchObject({ topics: "" });
    await applyHoldChanges({ deadline: new Date(Date.now() + 10_000) });
    const { json } = await next(key, "include_topical=1");
    expect(json).toMatchObject({ fenliu_post_id: id, is_topical: true });
  });

  it("counts a rule that was made before an undo restored the post", async () => {
    const { id } = await makePending({ hashtags: ["owls"] });
    const send = sender({ key });
    const { json } = await send<{ batch_id: string }>("POST review/batch", {
      post_ids: [id],
      decision: "reject",
    });
    await ruleForToday("owls");
    await send(`POST review/batch/${json.batch_id}/undo`);
    const query = "include_topical=1&topical_only=1";
    expect((await next(key, query)).json.fenliu_post_id).toBe(id);
  });
});
