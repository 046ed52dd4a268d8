import { expect, test } from "vitest";
import { GET } from "#app/api/v1/checks/settings/route.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import type { ChecksSettings } from "#lib/checks/settings/schema.ts";
import { db } from "#lib/db.ts";
import { isRemoteCheckDue } from "#lib/checks/remote/ask-remote-checks.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

test("without a chat model no post waits for one, and the settings say so", async () => {
  const { id } = await makePost();
  await classifyPosts([id]);
  expect(await db.post_check.findUniqueOrThrow({ where: { post_id: id } })).toMatchObject({
    remote_state: "none",
  });
  expect(await isRemoteCheckDue()).toBe(false);
  const key = await makeKey({ scopes: ["read"] });
  const { json } = await call<ChecksSettings>(GET, { path: "/api/v1/checks/settings", key });
  expect(json.chat_model).toBeNull();
  expect(json.checks.find(({ name }) => name === "chat_model")?.missing).toMatch(/AI_BASE_URL/);
});
