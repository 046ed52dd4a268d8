import { z } from "zod";
import { created, noContent, ok, operation } from "#lib/accounts/route.ts";
import { env } from "#lib/base/env.ts";
import { paging, queryBoolean, queryInteger } from "#lib/base/http/fields.ts";
import type { AnyOperation, Method } from "#lib/base/http/operation.ts";
import { fetchAll, fetchStream } from "./fetch-streams.ts";
import { createStream, deleteStream, getStream, listStreams, updateStream } from "./streams.ts";
import {
  FetchAllResult,
  FetchResult,
  Stream,
  StreamCreate,
  StreamList,
  StreamUpdate,
} from "./stream-schema.ts";

/** Aliases: the same operations, with ids of their own in the OpenAPI document. */
export function asHashtags(operations: Partial<Record<Method, AnyOperation>>) {
  return Object.fromEntries(
    Object.entries(operations).map(([method, op]) => [
      method,
      {
        ...op,
        id: op.id?.replace("Stream", "Hashtag"),
        description: `Alias of \`${op.id}\`.`,
        tag: "Aliases",
      },
    ]),
  );
}

export type StreamFamily = "/streams" | "/hashtags";

export const tag = "Streams";
export const one = { tag, ids: ["id"] } as const;

export function streamCollection(family: StreamFamily) {
  return {
    GET: operation({
      id: "listStreams",
      summary: "List streams",
      description: "Streams in order of id, with counts of their posts.",
      tag,
      scope: "read",
      query: z.object({
        active: queryBoolean("Only active or only inactive streams.").optional(),
        ...paging(),
      }),
      responses: { 200: StreamList },
      handle: async ({ query }) => ok(await listStreams(query)),
    }),
    POST: operation({
      id: "createStream",
      summary: "Add a stream",
      description: "The first fetch is due at once, unless scheduling is off.",
      tag,
      scope: "manage",
      body: StreamCreate,
      responses: { 201: Stream },
      headers: { 201: { Location: "The new stream's address." } },
      errors: ["stream_exists"],
      handle: async ({ principal, body }) => {
        const stream = await createStream(principal, body);
        return created(stream, `/api/v1${family}/${stream.id}`);
      },
    }),
  };
}

const update = operation({
  id: "updateStream",
  summary: "Change a stream",
  description:
    "A partial update: omitted fields do not change. PUT and PATCH are the same. The hashtag (except its letter case) and " +
    "the instance can change until the first post was stored.",
  ...one,
  scope: "manage",
  body: StreamUpdate,
  responses: { 200: Stream },
  errors: ["stream_not_found", "stream_exists", "stream_has_posts"],
  handle: async ({ principal, params, body }) => {
    await updateStream(principal, params.id, body);
    return ok(await getStream(params.id));
  },
});

export const streamItem = {
  GET: operation({
    id: "getStream",
    summary: "Get a stream",
    ...one,
    scope: "read",
    responses: { 200: Stream },
    errors: ["stream_not_found"],
    handle: async ({ params }) => ok(await getStream(params.id)),
  }),
  PUT: { ...update, id: "replaceStream" },
  PATCH: update,
  DELETE: operation({
    id: "deleteStream",
    summary: "Delete a stream",
    description: "There is no undo. The posts of the stream are kept, without a stream.",
    ...one,
    scope: "manage",
    responses: { 204: null },
    errors: ["stream_not_found"],
    handle: async ({ principal, params }) => {
      await deleteStream(principal, params.id);
      return noContent();
    },
  }),
};

const MAX_FETCH = 400;

const limit = queryInteger(
  1,
  MAX_FETCH,
  "Maximum number of new posts; default MAX_POSTS_PER_FETCH.",
).optional();

export const streamFetch = {
  POST: operation({
    id: "fetchStream",
    summary: "Fetch a stream now",
    description:
      "Answers after at most 25 seconds with the posts stored so far. `limit` counts new posts, so " +
      "every call makes progress.",
    ...one,
    scope: "manage",
    query: z.object({ limit }),
    responses: { 200: FetchResult },
    errors: [
      "stream_not_found",
      "stream_inactive",
      "stream_busy",
      "remote_failed",
      "remote_waiting",
      "remote_timeout",
    ],
    handle: async ({ params, query }) =>
      ok(await fetchStream(params.id, { limit: query.limit ?? env().MAX_POSTS_PER_FETCH })),
  }),
};

export const streamsFetchAll = {
  POST: operation({
    id: "fetchAllStreams",
    summary: "Fetch all active streams",
    description:
      "Waits at most 25 seconds (`wait=0`: not at all). Streams that are not finished then continue in the background and are " +
      "counted in `pending`.",
    tag,
    scope: "manage",
    query: z.object({ wait: queryBoolean("Wait for the result; default true.").optional() }),
    responses: { 200: FetchAllResult },
    handle: async ({ query }) => ok(await fetchAll({ wait: query.wait ?? true })),
  }),
};
