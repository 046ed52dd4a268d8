import { beforeEach, expect, vi } from "vitest";
import * as fetchRoute from "#app/api/v1/streams/[id]/fetch/route.ts";
import { db } from "#lib/base/db.ts";
import type { FetchResult } from "#lib/collect/stream-schema.ts";
import * as governor from "#lib/fediverse/governor.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import type { SimulatedServer } from "#tests/simulated-server/server.ts";

/*
 * Streams of simulated servers. Start the servers in `vi.hoisted`, before any module reads
 * ALLOWED_PRIVATE_HOSTS.
 */

/** Requests follow one another without the governor's pause. */
export function skipPauses(): void {
  const { afterResponse } = governor;
  beforeEach(() => {
    vi.spyOn(governor, "afterResponse").mockImplementation((...given) => ({
      ...afterResponse(...given),
      next_api_at: 0,
    }));
  });
}

/** Fetches with a key of all scopes. */
export async function fetchNow(id: number | string, query = "") {
  const key = await makeKey();
  return call<FetchResult>(fetchRoute.POST, {
    method: "POST",
    path: `/api/v1/streams/${id}/fetch${query}`,
    params: { id: String(id) },
    key,
  });
}

/** A stream of #cats. Deletes all posts and the server's other streams. */
export async function freshStream(server: SimulatedServer) {
  await db.stream.deleteMany({ where: { instance: server.host } });
  await db.post.deleteMany();
  await db.tombstone.deleteMany();
  return makeStream({ hashtag: "cats", instance: server.host });
}

export const streamRow = (id: number) => db.stream.findUniqueOrThrow({ where: { id } });

export async function fetchToEnd(id: number, query = "?limit=400"): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const answer = await fetchNow(id, query);
    expect(answer.status).toBe(200);
    if (answer.json.cursor_at_end) return;
  }
  throw new Error("never came to an end");
}

/** Number of posts that ingest may store. */
export function wanted(server: SimulatedServer): number {
  return server.control.posts.filter(
    (post) =>
      post.deleted === null &&
      post.visibility === "public" &&
      post.boost_of === null &&
      (post.can_announce !== false || server.software !== "gotosocial") &&
      !post.author.moved &&
      post.author.noindex !== true &&
      !/#no/i.test(post.author.bio + post.author.fields.map((field) => field.value).join(" ")) &&
      !post.hashtags.some((tag) => foldHashtag(tag) === "nobot") &&
      post.hashtags.some((tag) => foldHashtag(tag) === "cats"),
  ).length;
}
