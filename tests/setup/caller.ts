import { makeMember } from "./factories.ts";
import { sender } from "./operations.ts";
import { call, sessionHeaders, type RouteHandler } from "./request.ts";

export type Caller = Awaited<ReturnType<typeof makeCaller>>;

/** An administrator at a screen. */
export async function makeCaller() {
  const member = await makeMember("admin");
  const headers = await sessionHeaders(member);
  return {
    member,
    send: sender({ headers }),
    post: <Body = Record<string, unknown>>(
      handler: RouteHandler,
      path: string,
      body?: unknown,
      params: Record<string, string> = {},
      method = "POST",
    ) => call<Body>(handler, { method, path: `/api/v1/${path}`, headers, body, params }),
    get: <Body>(handler: RouteHandler, path: string) =>
      call<Body>(handler, { path: `/api/v1/${path}`, headers }),
  };
}
