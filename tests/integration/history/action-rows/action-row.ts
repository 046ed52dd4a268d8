import { POST as postPreview } from "#app/api/v1/actions/preview/route.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { call, sessionHeaders, type CallResult, type RouteHandler } from "#tests/setup/request.ts";

/* The table of tests/integration/history/actions-table.test.ts. A domain adds its rows in a file of this folder. */

export interface ActionRow {
  name: string;
  /** Prepares data that no other row uses. */
  prepare: (caller: Caller) => Promise<Scene>;
}

export interface Scene {
  /** Everything that the undo must restore; compared before the action and after its undo. */
  state: () => Promise<unknown>;
  /** Body of `POST /actions/preview`; absent for an action on one post or entry. */
  preview?: { action: string; body: object };
  /** Adds something that the same action would change, after it was counted. Its state is part of `state`. */
  appear?: () => Promise<unknown>;
  /** @param preview token, as the screens send it */
  act: (preview: string | undefined) => Promise<CallResult<unknown>>;
  /** Posts or entries that the action changes. */
  changes: number;
  /** Status of a second press; default 409. */
  again?: number;
}

export type Caller = Awaited<ReturnType<typeof makeCaller>>;

/** An administrator at a screen. */
export async function makeCaller() {
  const member = await makeMember("admin");
  const headers = await sessionHeaders(member);
  return {
    member,
    post: <Body = Record<string, unknown>>(
      handler: RouteHandler,
      path: string,
      body?: unknown,
      params: Record<string, string> = {},
      method = "POST",
    ) => call<Body>(handler, { method, path: `/api/v1/${path}`, headers, body, params }),
    get: <Body>(handler: RouteHandler, path: string) =>
      call<Body>(handler, { path: `/api/v1/${path}`, headers }),
    preview: (request: Scene["preview"]) =>
      call<ActionPreview>(postPreview, {
        method: "POST",
        path: "/api/v1/actions/preview",
        headers,
        body: request,
      }),
  };
}
