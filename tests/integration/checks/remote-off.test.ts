import { expect, test } from "vitest";
import { GET } from "#app/api/v1/checks/providers/route.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { db } from "#lib/db.ts";
import { isRemoteCheckDue } from "#lib/checks/remote/ask-remote-checks.ts";
import { makeKey, makePost, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

test("without a provider no post waits for one, also with a question, and the list says off", async () => {
  const stream = await makeStream({ check_question: "Is this a cat?" });
  const { id } = await makePost({ stream_id: stream.id });
  await classifyPosts([id]);
  expect(await db.post_check.findUniqueOrThrow({ where: { post_id: id } })).toMatchObject({
    remote_state: "none",
  });
  expect(await isRemoteCheckDue()).toBe(false);
  const { status, json } = await call(GET, {
    path: "/api/v1/checks/providers",
    key: await makeKey({ scopes: ["read"] }),
  });
  expect([status, json]).toEqual([200, { host: null, daily_limit: 1000, waiting: 0, providers: [] }]);
});
