import { z } from "zod";
import { atLeastOneKey, isoTime, text } from "#lib/http/fields.ts";
import { hashtagField } from "#lib/fediverse/hashtag.ts";

export const consentPolicies = ["moderate", "strict", "opt-in"] as const;
export type ConsentPolicy = (typeof consentPolicies)[number];

/** ISO 639 language codes, as posts carry them; a region (`pt-BR`) is allowed and compared by its language. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, "must be a language code such as en")
  .transform((code) => code.toLowerCase())
  .meta({ override: { type: "string" } });

const interval = z.int().min(5).max(1440);

/** `@user@host` or `user@host`, as people write accounts. */
const account = z
  .string()
  .max(600)
  .regex(/^\s*@?[^\s@/]+@[^\s@/]+\s*$/, "must be an account such as @ana@mastodon.social")
  .transform((value) => `@${value.trim().replace(/^@/, "").toLowerCase()}`)
  .meta({ override: { type: "string" } });

const settable = {
  hashtag: hashtagField,
  instance: text(300, 1),
  active: z.boolean(),
  enable_scheduling: z.boolean(),
  fetch_interval_minutes: interval,
  consent_policy: z.enum(consentPolicies),
  consent_list: z
    .array(account)
    .max(1000)
    .transform((accounts) => [...new Set(accounts)])
    .meta({
      override: { type: "array", items: { type: "string" }, maxItems: 1000 },
      description: "Accounts that gave their consent: whom the policy opt-in lets in.",
    }),
  require_media: z.boolean(),
  drop_replies: z.boolean(),
  languages: z
    .array(language)
    .max(50)
    .transform((codes) => [...new Set(codes)])
    .meta({ override: { type: "array", items: { type: "string" }, maxItems: 50 } }),
};

/** Body of `POST /streams`: the hashtag, and whatever else is to differ from its default. */
export const StreamCreate = z
  .object({ ...z.object(settable).partial().shape, hashtag: settable.hashtag })
  .meta({ id: "StreamCreate", example: { hashtag: "cats", instance: "mastodon.social" } });
export type StreamCreate = z.output<typeof StreamCreate>;

/** Body of `PUT` and `PATCH /streams/{id}`: both are the same partial update (contract §5). */
export const StreamUpdate = atLeastOneKey(z.object(settable).partial()).meta({
  id: "StreamUpdate",
  example: { active: false },
});
export type StreamUpdate = z.output<typeof StreamUpdate>;

/** Body of `PATCH /streams/{id}/schedule`. */
export const ScheduleUpdate = atLeastOneKey(
  z.object({ enable_scheduling: settable.enable_scheduling, fetch_interval_minutes: interval }).partial(),
).meta({ id: "ScheduleUpdate", example: { fetch_interval_minutes: 30 } });

/** Body of `PUT /hosts/{host}/token`. */
export const HostToken = z
  .object({
    token: text(4000, 1)
      .regex(/^[\x21-\x7e]+$/, "must be a token without blanks")
      .nullable(),
  })
  .meta({ id: "HostToken", example: { token: "a-token-of-that-server" } });

export const Stream = z
  .object({
    id: z.int(),
    hashtag: z.string(),
    instance: z.string(),
    active: z.boolean(),
    enable_scheduling: z.boolean(),
    fetch_interval_minutes: z.int(),
    next_scheduled_fetch: isoTime.nullable(),
    last_fetch: isoTime.nullable(),
    last_check: isoTime.nullable(),
    last_error: z.string().nullable(),
    behind_since: isoTime.nullable().meta({
      description:
        "Since when fetches have left more waiting on the server; null when the last one read it all.",
    }),
    platform: z.string().nullable(),
    consent_policy: z.enum(consentPolicies),
    consent_list: z.array(z.string()),
    require_media: z.boolean(),
    drop_replies: z.boolean(),
    languages: z.array(z.string()),
    post_count: z.int(),
    approved_count: z.int(),
    rejected_count: z.int(),
    unreviewed_count: z.int(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .meta({
    id: "Stream",
    example: {
      id: 1,
      hashtag: "cats",
      instance: "mastodon.social",
      active: true,
      enable_scheduling: true,
      fetch_interval_minutes: 60,
      next_scheduled_fetch: "2026-05-04T13:00:00.000Z",
      last_fetch: "2026-05-04T12:00:03.412Z",
      last_check: "2026-05-04T12:00:03.412Z",
      last_error: null,
      behind_since: null,
      platform: "mastodon",
      consent_policy: "moderate",
      consent_list: [],
      require_media: false,
      drop_replies: false,
      languages: [],
      post_count: 120,
      approved_count: 60,
      rejected_count: 40,
      unreviewed_count: 20,
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
    hashtag: z.string(),
    enable_scheduling: z.boolean(),
    fetch_interval_minutes: z.int(),
    next_scheduled_fetch: isoTime.nullable(),
    last_check: isoTime.nullable(),
  })
  .meta({ id: "Schedule" });

/** Figures of one fetch: `seen` = `new` + `duplicates` + all of `dropped`. */
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

/** One fetch of a stream, as it went. `finished_at` null: under way, or its process died. */
export const FetchRun = z
  .object({
    id: z.int(),
    started_at: isoTime,
    finished_at: isoTime.nullable().meta({
      description:
        "Null while it is under way. Null with an error: its process was killed, and nobody knows when.",
    }),
    ...counts,
    error: z.string().nullable(),
  })
  .meta({ id: "FetchRun" });
export type FetchRun = z.infer<typeof FetchRun>;

/** What a post answers, asked of its home when somebody wants to see it. */
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
      .meta({ description: "Null unless `outcome` is `shown`. Stored nowhere." }),
  })
  .meta({ id: "Parent" });
export type Parent = z.infer<typeof Parent>;
