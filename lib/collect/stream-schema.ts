import { z } from "zod";
import { figures as definitions } from "#lib/base/figures-schema.ts";
import { common } from "#lib/base/http/common-fields.ts";
import { atLeastOneKey, countOf, isoTime, nullableString, text } from "#lib/base/http/fields.ts";
import { consentPolicy } from "#lib/fediverse/consent-schema.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

/** An ISO 639 code; a region (`pt-BR`) is ignored in comparisons. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, "must be a language code such as en")
  .transform((code) => code.toLowerCase());

/** Settings of a stream in requests, audit log and form. The columns have the same names and defaults. */
const settings = {
  hashtag: hashtagField,
  instance: text(300, 1).meta({ description: "Host name of the server.", example: "mastodon.example" }),
  active: z.boolean().describe("Whether the stream is fetched."),
  enable_scheduling: z.boolean().describe("Whether the stream is fetched by itself."),
  fetch_interval_minutes: z.int().min(5).max(1440).describe("Minutes between two fetches."),
  consent_policy: consentPolicy.describe("Which authors the stream accepts."),
  require_media: z.boolean().describe("Only posts with media."),
  drop_replies: z.boolean().describe("Whether replies are dropped."),
  languages: z
    .array(language)
    .max(50)
    .transform((codes) => [...new Set(codes)])
    .meta({
      description: "Languages that are kept; empty for all.",
      override: { type: "array", items: { type: "string" }, maxItems: 50 },
    }),
};
export type StreamSettings = z.output<z.ZodObject<typeof settings>>;
export type StreamSetting = keyof StreamSettings;
export const settingNames = Object.keys(settings) as StreamSetting[];

/** Defaults of a new stream without DEFAULT_INSTANCE. */
export const streamDefaults = {
  active: true,
  enable_scheduling: true,
  fetch_interval_minutes: 60,
  consent_policy: "moderate",
  require_media: false,
  drop_replies: false,
  languages: [] as string[],
} as const satisfies Partial<StreamSettings>;

export const StreamCreate = z
  .object({ ...z.object(settings).partial().shape, hashtag: hashtagField })
  .meta({ id: "StreamCreate", example: { hashtag: "cats", instance: "mastodon.social" } });
export type StreamCreate = z.output<typeof StreamCreate>;

/** `PUT` and `PATCH` are the same partial update. */
export const StreamUpdate = atLeastOneKey(z.object(settings).partial()).meta({
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
    ...settings,
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
    next_scheduled_fetch: isoTime
      .nullable()
      .describe("When the stream is fetched next; null when it is not."),
    last_fetch: common.last_fetch,
    last_check: isoTime.nullable().describe("When the stream was last asked."),
    last_error: nullableString(
      "Latest failure in one sentence; null when the last attempt succeeded.",
      "mastodon.example did not answer in time",
    ),
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
      .describe(`${definitions.approval_rate.definition} Null before the first decision.`),
    created_at: common.created_at,
    updated_at: common.updated_at,
  })
  .meta({ id: "Stream" });
export type Stream = z.infer<typeof Stream>;

export const StreamList = z
  .object({
    items: z.array(Stream).describe("Entries of this page."),
    total: z.int().describe("All items that match, on every page."),
    skip: common.skip,
    limit: common.limit,
  })
  .meta({ id: "StreamList" });

/** `seen` = `new` + `duplicates` + all of `dropped`. */
const counts = z.object({
  seen: z.int().describe("Posts that the server sent."),
  new: z.int().describe("Posts that were not known before."),
  duplicates: z.int().describe("Posts that were known already."),
  updated: z.int().describe("Known posts whose values changed."),
  auto_rejected: z.int().describe("Posts that a filter rejected on arrival."),
  dropped: z.record(z.string(), z.int()).describe("Posts that were not stored, by reason."),
  pages: z.int().describe("Pages that were read from the server."),
});
export type RunFigures = z.infer<typeof counts>;
const figures = {
  stream_id: common.id,
  ...counts.shape,
  cursor_at_end: z.boolean().describe("False when older or newer posts are still to be read."),
};

export const FetchResult = z.object(figures).meta({ id: "FetchResult" });
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
    new: counts.shape.new,
    errors: z.int().describe("Failures."),
    pending: z.int().describe("Streams that are still being fetched."),
  })
  .meta({ id: "FetchAllResult" });
export type FetchAllResult = z.infer<typeof FetchAllResult>;

export interface FetchRun extends RunFigures {
  id: number;
  started_at: string;
  /** Null while the fetch is running. Null together with an error when its process was killed. */
  finished_at: string | null;
  error: string | null;
}

/** The token of a server; null removes it. */
export const HostToken = z.object({
  token: text(4000, 1)
    .regex(/^[\x21-\x7e]+$/, "must be a token without blanks")
    .nullable(),
});
