import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import "#app/api/v1/all-routes.ts";
import { POST as authPost } from "#app/api/auth/[...nextauth]/route.ts";
import { type AnyOperation, type Method, registeredPaths } from "#lib/http/operation.ts";
import { makeKey, makeMember } from "#tests/setup/factories.ts";
import { call, type CallOptions, type RouteHandler, sessionHeaders } from "#tests/setup/request.ts";

/* PostgreSQL stores no NUL character, so one in a request must be refused before it gets there. */

type Endpoint = { address: string; method: Method; op: AnyOperation };

const endpoints: Endpoint[] = registeredPaths().flatMap(({ base, path: route, operations }) =>
  Object.entries(operations).map(([method, op]) => ({ address: base + route, method: method as Method, op })),
);

async function ask({ address, method, op }: Endpoint, value: string, options: Partial<CallOptions>) {
  const names = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const file = path.resolve("app", `.${address.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");
  const handlers = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<
    string,
    RouteHandler
  >;
  const caller = op.sessionOnly
    ? { headers: await sessionHeaders(await makeMember("admin")) }
    : { key: await makeKey() };
  return call(handlers[method] as RouteHandler, {
    path: address.replace(/\{\w+\}/g, encodeURIComponent(value)),
    params: Object.fromEntries(names.map((name) => [name, value])),
    method,
    ...caller,
    ...options,
  });
}

/** Copies of a value, each with one of its texts replaced. */
function withNul(value: unknown): unknown[] {
  if (typeof value === "string") return ["\0", `${value}\0`];
  if (Array.isArray(value))
    return value.flatMap((item, at) => withNul(item).map((changed): unknown => value.with(at, changed)));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    withNul(inner).map((changed) => ({ ...value, [name]: changed })),
  );
}

const withParams = endpoints.filter(({ address }) => address.includes("{"));
it.each(withParams.map((each) => [each.method, each.address, each] as const))(
  "%s %s: refused with NUL in its path",
  async (method, _address, endpoint) => {
    const body = method === "GET" ? undefined : (endpoint.op.body?.meta()?.example ?? {});
    for (const value of ["\0", "a\0b", "a@b.example\0"])
      expect([404, 422]).toContain((await ask(endpoint, value, { body })).status);
  },
);

const withBody = endpoints.filter(({ op }) => withNul(op.body?.meta()?.example).length > 0);
it.each(withBody.map((each) => [each.method, each.address, each] as const))(
  "%s %s: no failure by NUL in its body",
  async (_method, _address, endpoint) => {
    for (const body of withNul(endpoint.op.body?.meta()?.example)) {
      // A password is hashed and may contain anything.
      const { status } = await ask(endpoint, "1", { body });
      expect(status, JSON.stringify(body)).toBeLessThan(500);
    }
  },
);

const withQuery = endpoints.flatMap((endpoint) =>
  Object.keys((endpoint.op.query as { shape?: object } | undefined)?.shape ?? {}).map(
    (name) => [endpoint.method, endpoint.address, name, endpoint] as const,
  ),
);
it.each(withQuery)("%s %s: no failure by NUL in %s", async (_method, address, name, endpoint) => {
  for (const value of ["\0", "a\0"]) {
    const query = new URLSearchParams([[name, value]]);
    const { status } = await ask(endpoint, "1", { path: `${address}?${query}` });
    expect(status).toBeLessThan(500);
  }
});

it.each(["credentials", "link"])("a sign-in by %s is refused with NUL", async (provider) => {
  const { status, headers } = await call(authPost as unknown as RouteHandler, {
    method: "POST",
    path: `/api/auth/callback/${provider}`,
    params: { nextauth: ["callback", provider] as unknown as string },
    headers: { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: "a\0@b.example", password: "\0", token: "\0", name: "\0" }).toString(),
  });
  expect(status).toBeLessThan(500);
  expect(headers.get("location") ?? "").not.toContain("error=internal");
});
