import { expect, test, vi } from "vitest";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as generateKey } from "#app/api/v1/api-keys/generate/route.ts";
import { GET as metrics } from "#app/metrics/route.ts";
import { db } from "#lib/db.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { log } from "#lib/log.ts";
import { makeKey, makeMember, makePending } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

/* The log as text goes through process.stdout, where a test can read it. Both formats have the same fields. */

const { TOKEN } = vi.hoisted(() => {
  Object.assign(process.env, {
    LOG_REQUESTS: "on",
    LOG_LEVEL: "trace",
    LOG_FORMAT: "text",
    METRICS_TOKEN: "metrics-token-of-32-characters-and-more",
  });
  return { TOKEN: process.env.METRICS_TOKEN ?? "" };
});

async function logged(work: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  try {
    await work();
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
}

const idOf = async (key: string) =>
  (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } })).id;

test("a line has method, path pattern, status, duration, key and request id", async () => {
  const key = await makeKey();
  const id = await idOf(key);
  const { id: post } = await makePending();
  const headers = { "x-request-id": "request-7" };
  const params = { id: String(post) };
  const text = await logged(() => call(getPost, { path: `/api/v1/posts/${post}`, params, key, headers }));
  expect(text).toMatch(
    new RegExp(
      `INFO  request method=GET route=/api/v1/posts/\\{id\\} status=200 ms=\\d+ key_id=${id} request_id=request-7\\n`,
    ),
  );
});

test("operations of the queue, which check the key in their own call, name the key as well", async () => {
  const key = await makeKey();
  const id = await idOf(key);
  await makePending();
  const text = await logged(async () => {
    const { fenliu_post_id: post } = (
      await call<{ fenliu_post_id: number }>(next, { path: "/api/v1/curated/next", key })
    ).json;
    await call(ack, {
      path: `/api/v1/curated/${post}/ack`,
      params: { post_id: String(post) },
      method: "POST",
      key,
    });
  });
  expect(
    text.match(/ route=\S+ status=\d+ ms=\d+ key_id=\d+/g)?.map((line) => line.replace(/ ms=\d+/, "")),
  ).toEqual([
    ` route=/api/v1/curated/next status=200 key_id=${id}`,
    ` route=/api/v1/curated/{post_id}/ack status=204 key_id=${id}`,
  ]);
});

test("no line holds a credential: keys, tokens, cookies and made keys, of requests that succeed and fail", async () => {
  const key = await makeKey();
  const session = await sessionHeaders(await makeMember());
  const secrets = [key, "slc_unknown-key", TOKEN, session.cookie?.split("=")[1] ?? ""];
  const text = await logged(async () => {
    await call(getPost, { path: `/api/v1/posts/1?api_key=${key}`, params: { id: "1" }, key });
    await call(getPost, { path: "/api/v1/posts/1", params: { id: "1" }, key: "slc_unknown-key" });
    await call(next, { path: "/api/v1/curated/next", headers: { authorization: `Bearer ${key}` } });
    await call(metrics, { path: "/metrics", headers: { authorization: `Bearer ${TOKEN}` } });
    const made = await call<{ api_key: string }>(generateKey, {
      path: "/api/v1/api-keys/generate",
      method: "POST",
      headers: session,
      body: { name: "bot", scopes: ["read"] },
    });
    secrets.push(made.json.api_key);
    log.error({ headers: { authorization: key, cookie: session.cookie, "x-api-key": key } }, "request");
    log.error({ body: { password: key, token: key, secret: key, api_key: key } }, "request");
  });
  expect(text.match(/^.*INFO {2}request/gm)?.length).toBe(5);
  expect(secrets.every((secret) => typeof secret === "string" && secret.length > 10)).toBe(true);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
