import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/posts/route.ts";
import { db } from "#lib/base/db.ts";
import { searchLexemes } from "#lib/base/tokens.ts";
import { Post, type PostList } from "#lib/review/post-schema.ts";
import { makeKey, makePending, makePost, makeStream, picture, setSwitches } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const key = await makeKey();

function list(query: string, using: string | undefined = key) {
  return call<PostList & { detail: string; errors: { path: string }[] }>(GET, {
    path: `/api/v1/posts${query ? `?${query}` : ""}`,
    ...(using === undefined ? {} : { key: using }),
  });
}

async function ids(query: string): Promise<number[]> {
  const answer = await list(query);
  expect(answer.status).toBe(200);
  for (const post of answer.json.items) Post.strict().parse(post);
  expect(answer.json.total).toBe(answer.json.items.length);
  return answer.json.items.map((post) => post.id);
}

const day = (n: number, hour = 0) => new Date(Date.UTC(2026, 2, n, hour));
type Made = Awaited<ReturnType<typeof makePost>>;
let stream: Awaited<ReturnType<typeof makeStream>>;
let other: Awaited<ReturnType<typeof makeStream>>;
let plain: Made, rejected: Made, auto: Made, pending: Made, japanese: Made, twin: Made;

async function index(post: Made): Promise<void> {
  const lexemes = searchLexemes({ ...post, media: post.media as { description: string | null }[] });
  await db.$executeRaw`UPDATE post SET search = array_to_tsvector(${lexemes}::text[]) WHERE id = ${post.id}`;
}

beforeAll(async () => {
  stream = await makeStream({ hashtag: "Otters" });
  other = await makeStream();
  plain = await makePost({
    created_at: day(1),
    stream_id: stream.id,
    stream_hashtag: "Otters",
    plain_text: "The café is open",
    author_username: "Alice",
    instance: "one.example",
    language: "en-GB",
    ai_would_reject: false,
    ai_score: 0.45,
    url: null,
    spoiler_text: "",
  });
  rejected = await makePost({
    created_at: day(2),
    stream_id: stream.id,
    approved: false,
    reviewed_at: day(3),
    plain_text: "buy cheap category",
    author_username: "alice",
    instance: "two.example",
    language: "de",
    ai_would_reject: true,
    ai_score: 0.95,
    vision_category: "explicit",
  });
  auto = await makePost({
    created_at: day(3),
    approved: false,
    reviewed_at: day(3),
    auto_reject_reason: "blocked_user",
    instance: "one.example",
    language: null,
    ai_score: 0.5,
  });
  pending = await makePending(
    {
      created_at: day(4),
      stream_id: stream.id,
      stream_hashtag: "Otters",
      media: [picture("an otter at the weir")],
      spoiler_text: "Wet animals",
      instance: "three.example",
      language: "en",
      ai_score: 0.1,
      plain_text: "look",
    },
    day(5),
  );
  japanese = await makePost({
    created_at: day(6),
    stream_id: other.id,
    plain_text: "今日は東京都で猫を見た",
    instance: "jp.example",
    language: "ja",
  });
  twin = await makePost({
    created_at: day(6),
    stream_id: other.id,
    plain_text: "cat's pyjamas",
    instance: "jp.example",
    author_username: "twin",
    language: "fil",
  });
  for (const post of [plain, rejected, auto, pending, japanese, twin]) await index(post);
  for (const [post, from] of [
    [plain, stream],
    [plain, other],
    [japanese, other],
  ] as const) {
    await db.sighting.create({ data: { post_id: post.id, stream_id: from.id } });
  }
});

describe("GET /posts", () => {
  it("gives the documented body, newest first, then the higher id", async () => {
    const { json } = await list("");
    expect(Object.keys(json).sort()).toEqual(["items", "limit", "skip", "total"]);
    expect([json.skip, json.limit, json.total]).toEqual([0, 100, 6]);
    expect(json.items.map((post) => post.id)).toEqual([
      twin.id,
      japanese.id,
      pending.id,
      auto.id,
      rejected.id,
      plain.id,
    ]);
  });

  it("shows media with every field, and the holds of a post under the present switches", async () => {
    await db.post.update({
      where: { id: pending.id },
      data: { media: [{ type: "image", url: "https://m.example/1" }] },
    });
    await db.queue_entry.update({ where: { post_id: pending.id }, data: { missing: 2, holds: 1 } });
    await setSwitches({ require_alt_text: true });
    const held = (await list("queue_status=pending")).json.items[0];
    expect(held?.media_attachments).toEqual([
      {
        type: "image",
        url: "https://m.example/1",
        preview_url: null,
        description: null,
        blurhash: null,
        width: null,
        height: null,
      },
    ]);
    expect(held?.held_by).toBe("require_alt_text");
    await setSwitches({ require_alt_text: false });
    expect((await list("queue_status=pending")).json.items[0]?.held_by).toBe("blocked_user");
    await db.queue_entry.update({ where: { post_id: pending.id }, data: { missing: 0, holds: 0 } });
    expect((await list("queue_status=pending")).json.items[0]?.held_by).toBeNull();
  });

  it.each<[string, () => Made[]]>([
    ["reviewed=false", () => [twin, japanese, plain]],
    ["reviewed=true", () => [pending, auto, rejected]],
    ["approved=true", () => [pending]],
    ["approved=false", () => [auto, rejected]],
    ["approved=true&reviewed=1", () => [pending]],
    ["queue_status=pending", () => [pending]],
    ["queue_status=pending&approved=false", () => []],
    ["queue_status=pending&has_media=true&order=author", () => [pending]],
    ["queue_status=pending&order=ai_unsure", () => [pending]],
    ["queue_status=pending&since=2026-03-05", () => []],
    ["has_media=true", () => [pending]],
    ["has_media=0&reviewed=true", () => [auto, rejected]],
    ["ai_would_reject=true", () => [rejected]],
    ["vision_category=explicit", () => [rejected]],
    ["language=en", () => [pending, plain]],
    ["language=EN-gb", () => [plain]],
    ["instance=One.Example", () => [auto, plain]],
    ["author=alice@two.example", () => [rejected]],
    ["author=%40Alice%40one.example", () => [plain]],
    ["author=https://one.example/@alice", () => [plain]],
    ["author=ALICE", () => [rejected, plain]],
    ["author=ali", () => []],
    ["since=2026-03-04&until=2026-03-06", () => [twin, japanese, pending]],
    ["until=2026-03-01T00:00:00.000Z", () => [plain]],
    ["until=2026-03-01T01:00:00%2B01:00", () => [plain]],
    ["q=cafe", () => [plain]],
    ["q=CAF%C3%89+open", () => [plain]],
    ["q=cat", () => [twin]],
    ["q=cat*", () => [twin, japanese, pending, auto, rejected, plain]],
    ["q=weir", () => [pending]],
    ["q=three.example", () => [pending]],
    ["q=%E6%9D%B1%E4%BA%AC%E9%83%BD", () => [japanese]],
    ["q=%E7%8C%AB", () => [japanese]],
    ["q=%21%21", () => []],
    ["q='%20%7C%20!a:*", () => []],
    ["q=+", () => [twin, japanese, pending, auto, rejected, plain]],
    ["order=oldest", () => [plain, rejected, auto, pending, japanese, twin]],
    ["order=ai_unsure", () => [auto, plain, pending, rejected, twin, japanese]],
    ["stream_id=2147483647", () => []],
  ])("%s", async (query, expected) => {
    expect(await ids(query)).toEqual(expected().map((post) => post.id));
  });

  it("tells the stream that brought a post first from all that have seen it", async () => {
    expect(await ids(`stream_id=${stream.id}`)).toEqual([pending.id, rejected.id, plain.id]);
    expect(await ids(`stream_id=${stream.id}&reviewed=false`)).toEqual([plain.id]);
    expect(await ids(`stream_id=${stream.id}&queue_status=pending`)).toEqual([pending.id]);
    expect(await ids(`seen_in=${other.id}`)).toEqual([japanese.id, plain.id]);
  });

  it("groups by author, newest first within one", async () => {
    const second = await makePost({ created_at: day(7), author_username: "alice", instance: "two.example" });
    const order = (await list("order=author")).json.items;
    const accounts = order.map((post) => post.author_account.slice(1).toLowerCase());
    expect(accounts).toEqual([...accounts].sort());
    const pair = order.filter((post) => post.instance === "two.example").map((post) => post.id);
    expect(pair).toEqual([second.id, rejected.id]);
    await db.post.delete({ where: { id: second.id } });
  });

  it("pages without gap or repeat and links to the pages beside", async () => {
    const first = await list("limit=4&order=oldest");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(new URL(next).search).toBe("?limit=4&order=oldest&skip=4");
    expect(first.headers.get("link")).not.toContain("prev");
    const second = await call<PostList>(GET, { path: next.replace(/^https?:\/\/[^/]+/, ""), key });
    expect(second.json.items.map((post) => post.id)).toEqual([japanese.id, twin.id]);
    expect(second.headers.get("link")).not.toContain("next");
    expect(second.headers.get("link")).toContain('skip=0>; rel="prev"');
    expect([...first.json.items, ...second.json.items]).toHaveLength(6);
    expect((await list("limit=6")).headers.get("link")).toBeNull();
    const far = await list("skip=2000000000&limit=4");
    expect(far.json).toEqual({ items: [], total: 6, skip: 2000000000, limit: 4 });
  });
});
