import { z } from "zod";
import { definitionOf } from "#lib/base/figures-schema.ts";
import { common } from "#lib/base/http/common-fields.ts";
import { atLeastOneKey, countOf, isoTime, nullableString, text } from "#lib/base/http/fields.ts";
import { settingsShape, withDefaults } from "./settings-schema.ts";

const nextScheduledFetchField = isoTime
  .nullable()
  .describe("When the stream is fetched next; null when it is not.");
const lastCheckField = isoTime.nullable().describe("When the stream was last asked.");
const streamIdField = z.int().meta({ description: "Id of the stream; null for none.", example: 2 });
const newField = z.int().describe("Posts that were not known before.");

const body = settingsShape("body");
const stored = settingsShape("stored");

export const StreamCreate = z
  .object({ ...z.object(body).partial().shape, hashtag: body.hashtag })
  .meta({ id: "StreamCreate", example: { hashtag: "cats", instance: "mastodon.social" } });
export type StreamCreate = z.output<typeof StreamCreate>;

/** `PUT` and `PATCH` are the same partial update. */
export const StreamUpdate = atLeastOneKey(z.object(body).partial()).meta({
  id: "StreamUpdate",
  example: { active: false },
});
export type StreamUpdate = z.output<typeof StreamUpdate>;

/**
 * `checking`: no fetch has succeeded yet. `waiting_for_token`: the server answers accounts only. `failing`: the last
 * fetch failed, see `failing_since`.
 */
export const streamStates = ["checking", "working", "waiting_for_token", "failing", "paused"] as const;
export type StreamState = (typeof streamStates)[number];

export const Stream = z
  .object({
    id: common.id,
    ...stored,
    state: z
      .enum(streamStates)
      .describe(
        "`checking`: no fetch has succeeded yet; `working`: the last fetch succeeded; `waiting_for_token`: the server " +
          "needs an access token, or refuses the stored one; `failing`: see `failing_since`; `paused`: not active.",
      ),
    failing_since: isoTime
      .nullable()
      .describe("First failed fetch since the last successful one; null while fetches succeed."),
    source_fixed: z
      .boolean()
      .describe("True once a post was stored: `hashtag` and `instance` cannot change any more."),
    next_scheduled_fetch: nextScheduledFetchField,
    last_fetch: common.last_fetch,
    last_check: lastCheckField,
    last_error: common.last_error,
    last_error_kind: nullableString(
      "`needs_token`: the server answers accounts only, and no token is set; `token_refused`: it refuses the token; " +
        "`wait`, `rate_limited`, `server_error`, `unreachable`, `timeout`, …",
      "timeout",
    ),
    behind_since: isoTime
      .nullable()
      .describe(
        "Start of the backlog: fetches since then did not read all new posts; null without a backlog.",
      ),
    platform: nullableString("Software of the server; null while unknown.", "mastodon"),
    post_count: countOf("stored"),
    approved_count: countOf("stored_approved"),
    rejected_count: countOf("stored_rejected"),
    unreviewed_count: countOf("unreviewed"),
    approval_rate: z
      .number()
      .nullable()
      .describe(`${definitionOf("approval_rate")} Null before the first decision.`),
    created_at: common.created_at,
    updated_at: common.updated_at,
  })
  .meta({
    id: "Stream",
    example: {
      id: 1,
      ...withDefaults({ hashtag: "cats", instance: "mastodon.social" }),
      state: "working",
      failing_since: null,
      source_fixed: true,
      next_scheduled_fetch: "2026-05-04T13:00:00.000Z",
      last_fetch: "2026-05-04T12:00:03.412Z",
      last_check: "2026-05-04T12:00:03.412Z",
      last_error: null,
      last_error_kind: null,
      behind_since: null,
      platform: "mastodon",
      post_count: 120,
      approved_count: 60,
      rejected_count: 40,
      unreviewed_count: 20,
      approval_rate: 62.5,
      created_at: "2026-05-01T08:00:00.000Z",
      updated_at: "2026-05-01T08:00:00.000Z",
    },
  });
export type Stream = z.infer<typeof Stream>;

export const StreamList = z
  .object({
    items: z.array(Stream).describe("Entries of this page."),
    total: common.total,
    skip: common.skip,
    limit: common.limit,
  })
  .meta({ id: "StreamList" });

/** `seen` = `new` + `duplicates` + all of `dropped`. */
const counts = {
  seen: z.int().describe("Posts that the server sent."),
  new: newField,
  duplicates: z.int().describe("Posts that were known already."),
  updated: z.int().describe("Known posts whose values changed."),
  auto_rejected: z.int().describe("Posts that a filter rejected on arrival."),
  dropped: z.record(z.string(), z.int()).describe("Posts that were not stored, by reason."),
  pages: z.int().describe("Pages that were read from the server."),
};
const figures = {
  stream_id: streamIdField,
  ...counts,
  cursor_at_end: z.boolean().describe("False when older or newer posts are still to be read."),
};

export const FetchResult = z.object(figures).meta({
  id: "FetchResult",
  example: {
    stream_id: 1,
    seen: 24,
    new: 20,
    duplicates: 3,
    updated: 1,
    auto_rejected: 2,
    dropped: { nobot: 1 },
    pages: 2,
    cursor_at_end: true,
  },
});
export type FetchResult = z.infer<typeof FetchResult>;

export const FetchAllResult = z
  .object({
    streams: z
      .array(
        z.object({
          ...figures,
          error: z.string().optional().meta({
            description: "The error in one sentence.",
            example: "mastodon.example did not answer in time",
          }),
        }),
      )
      .describe("Streams."),
    new: newField,
    errors: common.errors,
    pending: z.int().describe("Streams that are still being fetched."),
  })
  .meta({ id: "FetchAllResult" });
export type FetchAllResult = z.infer<typeof FetchAllResult>;

/** Counts of posts and pages. */
export interface RunFigures {
  seen: number;
  new: number;
  duplicates: number;
  updated: number;
  auto_rejected: number;
  /** Posts that were not stored, by reason. */
  dropped: Record<string, number>;
  pages: number;
}

export interface FetchRun extends RunFigures {
  id: number;
  started_at: string;
  /** Null while the fetch is running. Null together with an error when its process was killed. */
  finished_at: string | null;
  error: string | null;
}

/** Null removes it. */
export const HostToken = z.object({
  token: text(4000, 1)
    .regex(/^[\x21-\x7e]+$/, "must be a token without blanks")
    .nullable(),
});
