import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { db } from "#lib/db.ts";
import { judgePosts } from "#lib/checks/verdict/judge-posts.ts";
import { askRemoteChecks } from "#lib/checks/remote/ask-remote-checks.ts";
import { makePost, makeStream } from "#tests/setup/factories.ts";
import { asksQuestion, completion } from "#tests/setup/remote-provider.ts";

/* A model of the operator's own as the only provider, without a key. */

const provider = await vi.hoisted(async () => {
  const started = await (await import("#tests/setup/remote-provider.ts")).startRemoteProvider();
  Object.assign(process.env, {
    AI_PROVIDER: "openai-compatible",
    OPENAI_BASE_URL: `${started.origin}/v1`,
    OPENAI_MODEL: "tiny-model",
  });
  return started;
});
afterAll(() => provider.close());
beforeEach(async () => {
  provider.reset();
  await db.post.deleteMany();
  await db.check_setting.deleteMany();
});

const ask = () => askRemoteChecks({ deadline: new Date(Date.now() + 60_000) }, judgePosts);

async function asked() {
  const stream = await makeStream({ check_question: "Is this a cat?" });
  const { id } = await makePost({ stream_id: stream.id });
  await classifyPosts([id]);
  await ask();
  const { remote } = await db.post_check.findUniqueOrThrow({ where: { post_id: id } });
  return remote as Record<string, { labels: object; reason: string }>;
}

describe("a model as the only provider", () => {
  test("moderates and answers the question, in one request each", async () => {
    expect(await asked()).toMatchObject({
      remote_moderation: {
        labels: { explicit: 0.1, graphic: 0.1, hateful: 0.1, other_unsafe: 0.1 },
        reason: "Nothing unsafe.",
        model: "tiny-model:1b",
      },
      question: { would_reject: false },
    });
    expect(provider.requests.map(({ body }) => [body.model, body.temperature])).toEqual([
      ["tiny-model", 0],
      ["tiny-model", 0],
    ]);
    expect(provider.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  test("is not asked for a check that an admin turned off", async () => {
    await db.check_setting.create({ data: { name: "remote_moderation", enabled: false } });
    expect(Object.keys(await asked())).toEqual(["question"]);
    expect(provider.requests).toHaveLength(1);
  });

  test("keeps the answer to the question when moderation fails", async () => {
    provider.answer((request) =>
      asksQuestion(request)
        ? completion({ answer: "unsure", confidence: 0.5, reason: "No picture." })
        : { status: 500 },
    );
    expect(await asked()).toMatchObject({
      question: { labels: {}, would_reject: null, reason: "No picture." },
    });
    expect(await db.post_check.findFirstOrThrow()).toMatchObject({ remote_state: "waiting" });
  });
});
