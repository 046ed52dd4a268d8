import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { makeKey, makePending, makeStream } from "#tests/setup/factories.ts";
import { emptyQueue, next, settle } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);

const wait = (answer: { headers: Headers }) => Number(answer.headers.get("retry-after"));
const keepBack = (postId: number, seconds: number) =>
  db.$executeRaw`UPDATE queue_entry SET not_before = now() + ${seconds}::int * interval '1 second', refusals = 5
                  WHERE post_id = ${postId}`;

describe("Retry-After of a nack", () => {
  it("is one second while the post is offered again at once, then grows with the backoff up to 30", async () => {
    const { id } = await makePending();
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      expect((await next(key)).json.fenliu_post_id).toBe(id);
      const answer = await settle("nack", key, id);
      expect(answer.status).toBe(204);
      waits.push(wait(answer));
      await db.$executeRaw`UPDATE queue_entry SET not_before = NULL WHERE post_id = ${id}`;
    }
    expect(waits).toEqual([1, 1, 1, 1, 2, 4, 8, 16, 30, 30]);
  });

  it("is the same in a batch", async () => {
    const posts = [];
    for (let n = 0; n < 12; n++) posts.push((await makePending()).id);
    await db.$executeRaw`UPDATE queue_entry SET refusals = 6`;
    for (const _ of posts) await next(key);
    const answers = await Promise.all(posts.map((id) => settle("nack", key, id)));
    expect(answers.map(wait)).toEqual(posts.map(() => 8));
  });
});

describe("Retry-After of an empty queue", () => {
  it("is 30 without posts that are kept back", async () => {
    expect(wait(await next(key))).toBe(30);
  });

  it("is the time until the first kept-back post returns, 30 at most", async () => {
    const [one, two] = [await makePending(), await makePending()];
    await keepBack(one.id, 12);
    await keepBack(two.id, 7);
    const answer = await next(key);
    expect([answer.status, wait(answer)]).toEqual([204, 7]);
    await keepBack(two.id, 3600);
    await keepBack(one.id, 3600);
    expect(wait(await next(key))).toBe(30);
  });

  it("is the same in a batch", async () => {
    await keepBack((await makePending()).id, 7);
    const answers = await Promise.all(Array.from({ length: 12 }, () => next(key)));
    expect(answers.map((answer) => [answer.status, wait(answer)])).toEqual(answers.map(() => [204, 7]));
  });

  it("leaves out posts that this caller would not get", async () => {
    const stream = await makeStream();
    const bound = await makeKey({ stream_ids: [stream.id] });
    const other = await makePending();
    await keepBack(other.id, 7);
    expect(wait(await next(bound))).toBe(30);
    expect(wait(await next(key, "include_topical=1&topical_only=1"))).toBe(30);
    await db.$executeRaw`UPDATE queue_entry SET holds = 1 WHERE post_id = ${other.id}`;
    expect(wait(await next(key))).toBe(30);
    const mine = await makePending({ stream_id: stream.id });
    await keepBack(mine.id, 5);
    expect(wait(await next(bound))).toBe(5);
  });
});
