import { readdirSync } from "node:fs";
import path from "node:path";
import { ApiError } from "#lib/base/errors.ts";
import { call, type CallOptions, type CallResult, type RouteHandler } from "./request.ts";

const APP = path.resolve("app");

/** The route file of a path, as Next.js finds it; null for an unknown path. */
export function routeOf(pathname: string): { file: string; params: Record<string, string> } | null {
  const params: Record<string, string> = {};
  let folder = APP;
  for (const part of pathname.split("/").filter((each) => each !== "")) {
    const names = readdirSync(folder);
    const name = names.includes(part) ? part : names.find((each) => /^\[\w+\]$/.test(each));
    if (name === undefined) return null;
    if (name !== part) params[name.slice(1, -1)] = decodeURIComponent(part);
    folder = path.join(folder, name);
  }
  return readdirSync(folder).includes("route.ts") ? { file: path.join(folder, "route.ts"), params } : null;
}

export type Send = <Body = Record<string, unknown>>(
  operation: string,
  body?: unknown,
) => Promise<CallResult<Body & { detail: string; errors: { path: string; message: string }[] }>>;

/** Result of an operation, like the answer of a route: 200 with its value, or status and sentence of its refusal. */
export async function outcome<Value>(work: () => Promise<Value>): Promise<{
  status: number;
  json: Value & { detail: string; errors: { path: string; message: string }[] };
}> {
  try {
    return { status: 200, json: (await work()) as never };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, json: error.toJSON() as never };
  }
}

/** Calls operations such as "POST posts/7/approve" without a server. */
export function sender(as: Pick<CallOptions, "key" | "headers">): Send {
  return async <Body>(operation: string, body?: unknown) => {
    const [method = "", target = ""] = operation.split(/ (.*)/s);
    const route = routeOf(`/api/v1/${target.split("?")[0]}`);
    if (route === null) throw new Error(`There is no route for ${operation}`);
    const handlers = (await import(route.file)) as Record<string, RouteHandler>;
    const handler = handlers[method];
    if (handler === undefined) throw new Error(`There is no ${operation}`);
    const { params } = route;
    return call<Body & { detail: string; errors: { path: string; message: string }[] }>(handler, {
      method,
      path: `/api/v1/${target}`,
      params,
      body,
      ...as,
    });
  };
}
