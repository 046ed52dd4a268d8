import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { ApiError, databaseAway } from "#lib/base/errors.ts";
import { observer } from "#lib/base/http/operation.ts";
import { raw, type Reply } from "#lib/base/http/reply.ts";
import { verifyAnswer } from "#tests/setup/verify-answer.ts";

beforeAll(() => void (observer.answered = verifyAnswer));
afterAll(() => delete observer.answered);

const answer = (reply: Reply | ApiError) =>
  routes("/examples", {
    GET: operation({
      auth: "none",
      summary: "Example",
      tag: "Service",
      responses: { 200: z.object({ id: z.int(), tags: z.array(z.object({ name: z.string() })) }) },
      errors: ["wrong_state", "validation", "database_away"],
      handle: () => (reply instanceof ApiError ? Promise.reject(reply) : Promise.resolve(reply)),
    }),
  }).GET(new Request("http://localhost/examples"));

const [id, tags] = [1, [{ name: "a" }]];

test.each<[string, Reply | ApiError]>([
  ["a declared answer", ok({ id, tags })],
  ["text", raw("id\n1\n", "text/csv")],
  ["a declared refusal", new ApiError("wrong_state", { state: "pending", expected: "error" })],
  ["a declared outage", databaseAway(null)],
])("a test accepts %s", async (_name, reply) => {
  expect((await answer(reply)).status).toBe(reply.status);
});

test.each<[string, Reply | ApiError, RegExp]>([
  ["an undeclared field", ok({ id, tags, preview: "x" }), /lacks \/preview/],
  [
    "an undeclared field of an element",
    ok({ id, tags: [{ name: "a", count: 1 }] }),
    /lacks \/tags\/0\/count/,
  ],
  ["a missing field", ok({ id }), /does not allow/],
  ["an undeclared status", { status: 201, body: { id, tags } }, /not declared/],
  ["an undeclared refusal", new ApiError("post_edited"), /code post_edited is not declared/],
  ["a 422 without its fields", new ApiError("validation"), /does not allow/],
  ["a 503 without Retry-After", new ApiError("database_away"), /Retry-After is missing/],
])("a test fails with %s", async (_name, reply, problem) => {
  await expect(answer(reply)).rejects.toThrow(problem);
});
