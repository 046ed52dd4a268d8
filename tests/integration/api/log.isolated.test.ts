import { expect, test, vi } from "vitest";
import { POST as generateKey } from "#app/api/v1/api-keys/generate/route.ts";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import { GET as metrics } from "#app/metrics/route.ts";
import { log } from "#lib/base/log.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

/* The log of a terminal goes through process.stdout, where a test can read it. Both formats have the same fields. */

const { TOKEN } = vi.hoisted(() => {
  Object.assign(process.env, {
    LOG_LEVEL: "trace",
    METRICS_TOKEN: "metrics-token-of-32-characters-and-more",
  });
  process.stdout.isTTY = true;
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
  expect(text.match(/ERROR request/g)).toHaveLength(2);
  expect(secrets.every((secret) => typeof secret === "string" && secret.length > 10)).toBe(true);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
