import { z } from "zod";
import { env } from "#lib/env.ts";
import { queryBoolean, queryInteger } from "#lib/http/fields.ts";
import { ok, operation } from "#lib/http/route.ts";
import { one, tag } from "./api.ts";
import { fetchAll } from "./fetch-all.ts";
import { fetchStream } from "./fetch-stream.ts";
import { requireReach } from "./require-reach.ts";
import { FetchAllResult, FetchResult } from "./schema.ts";

/** Contract §5. */
const MAX_FETCH = 400;

const limit = queryInteger(
  1,
  MAX_FETCH,
  "New posts to bring at most; default MAX_POSTS_PER_FETCH.",
).optional();

/** Operations of `/streams/{id}/fetch`. */
export const streamFetch = {
  POST: operation({
    summary: "Fetch a stream now",
    description:
      "Answers after 25 seconds at the latest with what is stored so far. `limit` counts posts not known before, so " +
      "every call makes progress.",
    ...one,
    scope: "manage",
    boundKeys: "own",
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
    handle: async ({ principal, params, query }) => {
      requireReach(principal, params.id);
      return ok(await fetchStream(params.id, { limit: query.limit ?? env().MAX_POSTS_PER_FETCH }));
    },
  }),
};

/** Operations of `/streams/fetch-all`. */
export const streamsFetchAll = {
  POST: operation({
    summary: "Fetch all active streams",
    description:
      "Waits at most 25 seconds (`wait=0`: not at all); streams not finished by then go on in the background and are " +
      "counted in `pending`.",
    tag,
    scope: "manage",
    query: z.object({ wait: queryBoolean("Wait for the result; default true.").optional() }),
    responses: { 200: FetchAllResult },
    handle: async ({ query }) => ok(await fetchAll({ wait: query.wait ?? true })),
  }),
};
