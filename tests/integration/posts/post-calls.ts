import { DELETE, GET, PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/base/db.ts";
import type { ReviewAnswer } from "#lib/review/change-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import { type ReviewState } from "#lib/review/state.ts";
import { makeKey, makeMember, makePending, makePost } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

export let member: Awaited<ReturnType<typeof makeMember>>;
export let key: string;
export let adminKey: string;

/** Call it in `beforeAll`: the database is emptied between files. */
export async function makeCallers(): Promise<void> {
  member = await makeMember("reviewer", { name: "Rita" });
  key = await makeKey({ created_by: member.id, role: "reviewer" });
  adminKey = await makeKey();
}

export type Answer = ReviewAnswer & { detail: string; errors?: { path: string; message: string }[] };

export function send(
  handler: RouteHandler,
  id: number | string,
  body?: unknown,
  using: string | undefined = key,
  method = "POST",
) {
  return call<Answer>(handler, {
    method,
    path: `/api/v1/posts/${id}`,
    params: { id: String(id) },
    ...(using === undefined ? {} : { key: using }),
    body,
  });
}
export const patch = (id: number | string, body: unknown, using: string | undefined = key) =>
  send(PATCH, id, body, using, "PATCH");
export const remove = (id: number | string, using = adminKey) => send(DELETE, id, undefined, using, "DELETE");
export const show = (id: number | string) =>
  call<PostDetail & { detail: string }>(GET, {
    path: `/api/v1/posts/${id}`,
    params: { id: String(id) },
    key,
  });

export const lines = (id: number) =>
  db.post_event.findMany({ where: { post_id: id }, orderBy: { id: "asc" } });
export const entry = (id: number) => db.queue_entry.findUnique({ where: { post_id: id } });
export const stored = (id: number) => db.post.findUniqueOrThrow({ where: { id } });

export async function postIn(state: ReviewState, data: Parameters<typeof makePost>[0] = {}) {
  const past = new Date("2026-01-02T03:04:05.678Z");
  if (state === "unreviewed") return makePost(data);
  if (state === "rejected")
    return makePost({ ...data, approved: false, reviewed_at: past, auto_reject_reason: "blocked_user" });
  const post = await makePending(data, past);
  const changes = {
    pending: {},
    reserved: {
      state,
      lease_id: "6dd0a8a1-6f1c-4c3a-9b6a-0f6b9f0f5a11",
      lease_expires_at: new Date(Date.now() + 3e5),
    },
    delivered: { state, delivered_at: past },
    error: { state, error_reason: "Status not found on fediverse", errored_at: past },
  }[state];
  await db.queue_entry.update({ where: { post_id: post.id }, data: changes });
  return post;
}
