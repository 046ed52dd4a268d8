import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { nullableString, stringField } from "#lib/http/fields.ts";

export const previewProblems = [
  "unknown_name",
  "refused",
  "waiting",
  "unreachable",
  "slow",
  "redirects",
  "not_fediverse",
  "no_timelines",
  "needs_token",
  "token_refused",
  "hashtag_unknown",
  "rate_limited",
  "server_error",
  "unreadable",
] as const;
export type PreviewProblem = (typeof previewProblems)[number];

const problem = z
  .object({
    code: z.enum(previewProblems).describe("Stable name for programs."),
    message: stringField("One sentence.", "must not be empty"),
  })
  .nullable()
  .describe(
    "Why the timeline cannot be read now; null when it can. `unknown_name`: no such host; `refused`: it leads to a private " +
      "address; `waiting`: it asked to be left alone for a while; `redirects`: see `suggested_instance`; `not_fediverse`: no " +
      "server of the fediverse; `no_timelines`: its software has no hashtag timelines; `needs_token`, `token_refused`: it answers " +
      "accounts only; `unreadable`: no timeline in its answer.",
  );

const PreviewPost = z.object({
  author_account: common.author_account,
  author_display_name: common.author_display_name,
  url: common.url,
  created_at: common.created_at,
  content_snippet: stringField(
    "The first 280 characters as plain text.",
    "A heron at the weir this morning #birds",
  ),
  spoiler_text: common.spoiler_text,
  sensitive: common.sensitive,
  language: common.language,
  media: z
    .array(
      z.object({
        type: common.type,
        described: z.boolean().describe("Whether it has an alt text."),
      }),
    )
    .describe("Media of the post."),
  consent: z.record(z.string(), z.unknown()).describe("Consent signals seen on the post and its author."),
});
export type PreviewPost = z.infer<typeof PreviewPost>;

const perDay = z.object({
  read: z.number().describe("Posts with the hashtag."),
  kept: z.number().describe("Those that the stream would keep."),
});

export const StreamPreview = z
  .object({
    hashtag: common.hashtag,
    instance: common.instance,
    works: z.boolean().describe("Whether the timeline can be read now."),
    problem,
    suggested_instance: nullableString("The server that the instance leads to.", "social.example"),
    software: common.software,
    version: nullableString("Version.", "1.0.0"),
    has_token: z.boolean().describe("Whether an access token for this server is stored."),
    existing_stream_id: z
      .int()
      .nullable()
      .meta({ description: "The stream with this hashtag and instance, or null.", example: 3 }),
    posts: z.array(PreviewPost).describe("The ten newest that the stream would keep."),
    read: z.int().describe("Posts of the newest page."),
    left_out: z
      .record(z.string(), z.int())
      .describe("Posts that the stream would drop, by reason. Nothing of them is shown."),
    known: z.int().describe("Posts of that page that the stream would keep and that are stored already."),
    posts_per_day: perDay
      .nullable()
      .describe("Estimated from the newest page; null without posts. One decimal."),
  })
  .meta({
    id: "StreamPreview",
    example: {
      hashtag: "cats",
      instance: "mastodon.social",
      works: true,
      problem: null,
      suggested_instance: null,
      software: "mastodon",
      version: "4.5.0",
      has_token: false,
      existing_stream_id: null,
      posts: [],
      read: 40,
      left_out: { refusal_tag: 2 },
      known: 3,
      posts_per_day: { read: 96, kept: 91.2 },
    },
  });
export type StreamPreview = z.infer<typeof StreamPreview>;
