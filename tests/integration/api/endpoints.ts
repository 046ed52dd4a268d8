import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import "#app/api/v1/all-routes.ts";
import "#app/api/v1/openapi.json/route.ts";
import { type AnyOperation, type Method, registeredPaths } from "#lib/base/http/operation.ts";
import { call, type CallOptions, type RouteHandler } from "#tests/setup/request.ts";

export interface Endpoint {
  /** As in `GET /posts/{id}`. */
  name: string;
  base: string;
  route: string;
  method: Method;
  op: AnyOperation;
}

const fileOf = (base: string, route: string) =>
  path.resolve("app", `.${base}${route.replace(/\{(\w+)\}/g, "[$1]")}`, "route.ts");

/** Every declared operation that has a route file. */
export const endpoints: Endpoint[] = registeredPaths()
  .filter(({ base, path: route }) => existsSync(fileOf(base, route)))
  .flatMap(({ base, path: route, operations }) =>
    Object.entries(operations).map(([method, op]) => ({
      ...{ name: `${method} ${route}`, base, route, method: method as Method, op },
    })),
  );

export const queryNames = ({ op }: Endpoint) =>
  Object.keys((op.query as { shape?: object } | undefined)?.shape ?? {});

/** The example of its body; that of new streams names no server that could be asked. */
export function bodyOf({ name, op }: Endpoint): unknown {
  if (/^POST \/(streams|hashtags)$/.test(name)) return { hashtag: "cats", instance: "nowhere.invalid" };
  return op.body === undefined ? undefined : (op.body.meta()?.example ?? {});
}

export interface Asked extends Partial<CallOptions> {
  /** Of each parameter in the path. */
  id?: string;
  query?: string;
}

export async function askEndpoint<Body>({ base, route, ...endpoint }: Endpoint, asked: Asked) {
  const { id = "1", query = "", method = endpoint.method, body, ...more } = asked;
  const handlers = (await import(/* @vite-ignore */ pathToFileURL(fileOf(base, route)).href)) as Record<
    string,
    RouteHandler
  >;
  return call<Body>(handlers[method] as RouteHandler, {
    method,
    path: base + route.replace(/\{\w+\}/g, encodeURIComponent(id)) + query,
    params: Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map((match) => [match[1] ?? "", id])),
    ...more,
    body: method === "GET" || method === "HEAD" ? undefined : body,
  });
}
