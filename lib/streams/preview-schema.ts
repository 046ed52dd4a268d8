import { z } from "zod";
import { isoTime } from "#lib/http/fields.ts";

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
    code: z.enum(previewProblems),
    message: z.string().meta({ description: "One sentence." }),
  })
  .nullable()
  .meta({
    description:
      "Why the timeline cannot be read now; null when it can. `unknown_name`: no such host; `refused`: it leads to a private " +
      "address; `waiting`: it asked to be left alone for a while; `redirects`: see `suggested_instance`; `not_fediverse`: no " +
      "server of the fediverse; `no_timelines`: its software has no hashtag timelines; `needs_token`, `token_refused`: it answers " +
      "accounts only; `unreadable`: no timeline in its answer.",
  });

const PreviewPost = z.object({
  author_account: z.string(),
  author_display_name: z.string().nullable(),
  url: z.string(),
  created_at: isoTime,
  content_snippet: z.string().meta({ description: "The first 280 characters as plain text." }),
  spoiler_text: z.string().nullable().meta({ description: "Content warning." }),
  sensitive: z.boolean(),
  language: z.string().nullable(),
  media: z.array(
    z.object({
      type: z.string(),
      described: z.boolean().meta({ description: "Whether it has an alt text." }),
    }),
  ),
  consent: z
    .record(z.string(), z.unknown())
    .meta({ description: "Consent signals seen on the post and its author." }),
});
export type PreviewPost = z.infer<typeof PreviewPost>;

const perDay = z.object({
  read: z.number().meta({ description: "Posts with the hashtag." }),
  kept: z.number().meta({ description: "Those that the stream would keep." }),
});

export const StreamPreview = z
  .object({
    hashtag: z.string(),
    instance: z.string(),
    works: z.boolean().meta({ description: "Whether the timeline can be read now." }),
    problem,
    suggested_instance: z
      .string()
      .nullable()
      .meta({ description: "The server that the instance leads to.", example: "social.example" }),
    software: z.string().nullable(),
    version: z.string().nullable(),
    has_token: z.boolean().meta({ description: "Whether an access token for this server is stored." }),
    existing_stream_id: z
      .int()
      .nullable()
      .meta({ description: "The stream with this hashtag and instance, or null.", example: 3 }),
    posts: z.array(PreviewPost).meta({ description: "The ten newest that the stream would keep." }),
    read: z.int().meta({ description: "Posts of the newest page." }),
    left_out: z
      .record(z.string(), z.int())
      .meta({ description: "Posts that the stream would drop, by reason. Nothing of them is shown." }),
    posts_per_day: perDay
      .nullable()
      .meta({ description: "Estimated from the newest page; null without posts. One decimal." }),
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
      posts_per_day: { read: 96, kept: 91.2 },
    },
  });
export type StreamPreview = z.infer<typeof StreamPreview>;
