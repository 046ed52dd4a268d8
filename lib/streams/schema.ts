import { z } from "zod";
import { definitionOf } from "#lib/figures-schema.ts";
import { atLeastOneKey, countOf, isoTime } from "#lib/http/fields.ts";
import { settingsShape, withDefaults } from "./settings-schema.ts";

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

export const ScheduleUpdate = atLeastOneKey(
  z
    .object({
      enable_scheduling: body.enable_scheduling,
      fetch_interval_minutes: body.fetch_interval_minutes,
    })
    .partial(),
).meta({ id: "ScheduleUpdate", example: { fetch_interval_minutes: 30 } });

/**
 * `checking`: no fetch has succeeded yet. `waiting_for_token`: the server answers accounts only. `failing`: the last
 * fetch failed, see `failing_since`.
 */
export const streamStates = ["checking", "working", "waiting_for_token", "failing", "paused"] as const;
export type StreamState = (typeof streamStates)[number];

export const ExportedStream = z.object({ ...stored, created_at: isoTime });

export const Stream = z
  .object({
    id: z.int(),
    ...stored,
    state: z.enum(streamStates).meta({
      description:
        "`checking`: no fetch has succeeded yet; `working`: the last fetch succeeded; `waiting_for_token`: the server " +
        "needs an access token, or refuses the stored one; `failing`: see `failing_since`; `paused`: not active.",
    }),
    failing_since: isoTime.nullable().meta({
      description: "First failed fetch since the last successful one; null while fetches succeed.",
    }),
    source_fixed: z.boolean().meta({
      description: "True once a post was stored: `hashtag` and `instance` cannot change any more.",
    }),
    next_scheduled_fetch: isoTime.nullable(),
    last_fetch: isoTime.nullable(),
    last_check: isoTime.nullable(),
    last_error: z.string().nullable(),
    last_error_kind: z
      .string()
      .nullable()
      .meta({
        description:
          "`needs_token`: the server answers accounts only, and no token is set; `token_refused`: it refuses the token; " +
          "`wait`, `rate_limited`, `server_error`, `unreachable`, `timeout`, …",
      }),
    behind_since: isoTime.nullable().meta({
      description:
        "Start of the backlog: fetches since then did not read all new posts; null without a backlog.",
    }),
    platform: z.string().nullable(),
    post_count: countOf("stored"),
    approved_count: countOf("stored_approved"),
    rejected_count: countOf("stored_rejected"),
    unreviewed_count: countOf("unreviewed"),
    approval_rate: z
      .number()
      .nullable()
      .meta({ description: `${definitionOf("approval_rate")} Null before the first decision.` }),
    created_at: isoTime,
    updated_at: isoTime,
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
  .object({ items: z.array(Stream), total: z.int(), skip: z.int(), limit: z.int() })
  .meta({ id: "StreamList" });

export const Schedule = z
  .object({
    stream_id: z.int(),
    hashtag: stored.hashtag,
    enable_scheduling: stored.enable_scheduling,
    fetch_interval_minutes: stored.fetch_interval_minutes,
    next_scheduled_fetch: isoTime.nullable(),
    last_check: isoTime.nullable(),
  })
  .meta({ id: "Schedule" });
export type Schedule = z.infer<typeof Schedule>;

/** `seen` = `new` + `duplicates` + all of `dropped`. */
const counts = {
  seen: z.int(),
  new: z.int(),
  duplicates: z.int(),
  updated: z.int(),
  auto_rejected: z.int(),
  dropped: z.record(z.string(), z.int()),
  pages: z.int(),
};
const figures = { stream_id: z.int(), ...counts, cursor_at_end: z.boolean() };

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
    streams: z.array(z.object({ ...figures, error: z.string().optional() })),
    new: z.int(),
    errors: z.int(),
    pending: z.int(),
  })
  .meta({ id: "FetchAllResult" });
export type FetchAllResult = z.infer<typeof FetchAllResult>;

export const FetchRun = z
  .object({
    id: z.int(),
    started_at: isoTime,
    finished_at: isoTime.nullable().meta({
      description:
        "Null while the fetch is running. Null together with an error when its process was killed.",
    }),
    ...counts,
    error: z.string().nullable(),
  })
  .meta({ id: "FetchRun" });
export type FetchRun = z.infer<typeof FetchRun>;

export const ServerList = z
  .object({
    items: z.array(
      z.object({
        host: z.string(),
        software: z.string().nullable(),
        domain: z.string().nullable().meta({ description: "Of its accounts, when it is not the host." }),
        has_token: z.boolean(),
        token_problem: z.enum(["needs_token", "token_refused"]).nullable().meta({
          description: "Why the last fetch of a stream failed: no token is set, or the server refuses it.",
        }),
        streams: z.int(),
      }),
    ),
  })
  .meta({
    id: "ServerList",
    example: {
      items: [
        {
          host: "gts.example",
          software: "gotosocial",
          domain: null,
          has_token: false,
          token_problem: "needs_token",
          streams: 1,
        },
      ],
    },
  });
export type ServerList = z.infer<typeof ServerList>;

/** Fetched from its home server on request. */
export const Parent = z
  .object({
    outcome: z.enum(["shown", "no_reply", "gone", "not_public"]),
    post: z
      .object({
        author_account: z.string().meta({ example: "@alice@mastodon.social" }),
        author_display_name: z.string().nullable(),
        url: z.string(),
        created_at: isoTime,
        content: z.string().meta({ description: "Sanitised HTML." }),
        spoiler_text: z.string().nullable().meta({ description: "Content warning." }),
        sensitive: z.boolean(),
        language: z.string().nullable(),
        media: z.array(z.object({ type: z.string(), description: z.string().nullable() })),
      })
      .nullable()
      .meta({ description: "Null unless `outcome` is `shown`. Not stored." }),
  })
  .meta({ id: "Parent" });
export type Parent = z.infer<typeof Parent>;
