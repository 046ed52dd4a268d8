import { z } from "zod";
import { heldReasons } from "#lib/queue/holds.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";
import { AiResult } from "./advice-schema.ts";
import { isoTime, MAX_ID, paging, queryBoolean, queryInteger, queryTime, text } from "#lib/http/fields.ts";

/** A medium of a post. */
export const Media = z
  .object({
    type: z.string().meta({ description: "image, gifv, video, audio or unknown.", example: "image" }),
    url: z.string(),
    preview_url: z.string().nullable(),
    description: z.string().nullable().meta({ description: "Alt text." }),
    blurhash: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: "Media" });
export type Media = z.infer<typeof Media>;

export const queueStatuses = ["pending", "reserved", "delivered", "error"] as const;
export const QueueStatus = z.enum(queueStatuses);

/** `held_by` as a filter: one reason, or any. */
const HeldBy = z.enum([...heldReasons, "any"]).meta({
  description: "Pending posts whose first hold is this one; `any`: all held posts.",
});

/** A post. */
export const Post = z
  .object({
    id: z.int(),
    post_id: z
      .string()
      .meta({ description: "Canonical URI.", example: "https://mastodon.social/users/alice/statuses/1" }),
    url: z.string().nullable(),
    content: z.string().meta({ description: "Sanitised HTML." }),
    author_username: z.string().meta({ example: "alice" }),
    instance: z.string().meta({ description: "The author's own host.", example: "mastodon.social" }),
    created_at: isoTime,
    reviewed_at: isoTime.nullable(),
    approved: z.boolean().nullable().meta({ description: "Null when not reviewed." }),
    hashtags: z.array(z.string()),
    media_attachments: z.array(Media),
    ai_would_reject: z.boolean().nullable(),
    vision_category: z.string().nullable(),
    queue_status: QueueStatus.nullable(),
    stream_id: z.int().nullable(),
    author_display_name: z.string().nullable(),
    author_account: z.string().meta({ example: "@alice@mastodon.social" }),
    author_url: z.string().nullable(),
    author_is_bot: z.boolean(),
    author_avatar_url: z.string().nullable(),
    edited_at: isoTime.nullable(),
    erased_at: isoTime.nullable().meta({
      description:
        "When the content was erased, because the post is deleted or no longer public at its own server.",
    }),
    fetched_at: isoTime,
    confirmed_at: isoTime
      .nullable()
      .meta({ description: "When the post was last shown by its own server, or by `confirmed_by`." }),
    confirmed_by: z.string().nullable().meta({
      description:
        "The server that last showed the post. Another one than the post's own, if that answers no strangers.",
    }),
    version: z.int().meta({
      description:
        "Rises with each edit of text, content warning, media, alt text, poll, link card or sensitive mark.",
    }),
    approved_at: isoTime
      .nullable()
      .meta({ description: "Time of the approval that added the post to the queue." }),
    language: z.string().nullable(),
    sensitive: z.boolean(),
    spoiler_text: z.string().nullable().meta({ description: "Content warning." }),
    boosts: z.int(),
    likes: z.int(),
    replies: z.int(),
    in_reply_to: z.string().nullable(),
    stream: z
      .string()
      .nullable()
      .meta({ description: "Hashtag of the source stream; kept when the stream is deleted." }),
    reviewed: z.boolean(),
    reviewer_notes: z.string().nullable(),
    manual_spam_score: z.int().nullable(),
    auto_reject_reason: z.string().nullable(),
    text_reason: z.string().nullable(),
    vision_confidence: z.number().nullable(),
    ai_reasons: z.array(z.string()).meta({ description: "At most three reasons of the checks." }),
    ai_score: z.number().nullable(),
    pictures_waiting: z
      .boolean()
      .meta({ description: "True while pictures of the unreviewed post are still to be checked." }),
    media_covered: z.boolean().meta({
      description:
        "True when media should start covered: content warning, marked sensitive, or a picture that may be upsetting.",
    }),
    held_by: z
      .string()
      .nullable()
      .meta({ description: "Reason for which the approved post is not handed out now." }),
    delivery_count: z.int(),
    nack_count: z.int(),
    reserved_at: isoTime.nullable(),
    delivered_at: isoTime.nullable(),
    error_reason: z.string().nullable(),
    error_details: z.record(z.string(), z.unknown()).nullable(),
    errored_at: isoTime.nullable(),
    poll: z.record(z.string(), z.unknown()).nullable(),
    emojis: z.array(Emoji).meta({
      description: "Custom emojis that occur in the author's name, content, content warning or poll.",
    }),
    consent: z
      .record(z.string(), z.unknown())
      .meta({ description: "Consent signals seen on the post and its author." }),
  })
  .meta({ id: "Post" });
export type Post = z.infer<typeof Post>;

/** Fields of a review card beyond those of the list: author marks, quote, link card. */
const cardFields = {
  author_locked: z.boolean(),
  author_created_at: isoTime.nullable(),
  quote: z.record(z.string(), z.unknown()).nullable(),
  card: z.record(z.string(), z.unknown()).nullable(),
};

/** A post as the review desk shows it. */
export const PostCard = Post.extend(cardFields).meta({ id: "PostCard" });
export type PostCard = z.infer<typeof PostCard>;

/** One line of a post's history. */
export const HistoryLine = z
  .object({
    at: isoTime,
    actor: z.string(),
    source: z.enum(["screen", "api", "filter", "service"]),
    action: z.string().meta({ example: "approve" }),
    from: z.string().nullable(),
    to: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "HistoryLine" });
export type HistoryLine = z.infer<typeof HistoryLine>;

/** `GET /posts/{id}`. */
export const PostDetail = PostCard.extend({
  history: z.array(HistoryLine).meta({ description: "Oldest first." }),
}).meta({ id: "PostDetail" });
export type PostDetail = z.infer<typeof PostDetail>;

/**
 * Posts that a search for frequent words reads. Each costs about four blocks; 20 000 take a tenth of a second
 * (docs/decisions/0019-search-for-frequent-words.md).
 */
export const MAX_SEARCHED = 20_000;

/** Shared by lists, decks and batches. */
export const incompleteResults = z
  .literal(true)
  .optional()
  .meta({
    description: `True when a search for frequent words stopped after the first ${MAX_SEARCHED} posts, in this order, that match the other filters. With another filter, a date or a rarer word all posts are searched.`,
  });

/** `GET /posts`. */
export const PostList = z
  .object({
    items: z.array(Post),
    total: z.int().meta({ description: "Number of matching posts." }),
    total_is_more: z.literal(true).optional().meta({
      description:
        "True when counting stopped at `total`: for more than 100 000 posts by `happened`, and with `incomplete_results`.",
    }),
    incomplete_results: incompleteResults,
    skip: z.int(),
    limit: z.int(),
  })
  .meta({ id: "PostList" });
export type PostList = z.infer<typeof PostList>;

export const postOrders = ["newest", "oldest", "ai_unsure", "author"] as const;
export const PostOrder = z.enum(postOrders);
export type PostOrder = z.infer<typeof PostOrder>;

/** Events of a post that have a time: for `since`, `until` and the orders by time. */
export const timedEvents = ["created", "fetched", "reviewed", "delivered", "errored"] as const;
export const TimedEvent = z.enum(timedEvents);
export type TimedEvent = z.infer<typeof TimedEvent>;

/** A search text or name in a query. Text that PostgreSQL cannot store is refused. */
const queryText = (max: number, description: string) =>
  text(max).meta({ override: { type: "string", maxLength: max }, description });

const language = queryText(35, "Language of the post, e.g. `en`; `en` finds `en-GB` too.");

/** Filters of lists, the deck, batches and saved filters. */
export const postFilters = {
  stream_id: queryInteger(0, MAX_ID, "Id of the stream that fetched the post first.").optional(),
  seen_in: queryInteger(0, MAX_ID, "Id of a stream that has fetched the post, first or later.").optional(),
  approved: queryBoolean("true: approved posts, false: rejected posts.").optional(),
  reviewed: queryBoolean("true: posts with a decision, false: posts without.").optional(),
  queue_status: QueueStatus.optional(),
  held_by: HeldBy.optional(),
  q: queryText(
    500,
    "Words in content, content warning, alt text, hashtags and author; `word*` for any ending.",
  ).optional(),
  language: language.optional(),
  has_media: queryBoolean().optional(),
  ai_would_reject: queryBoolean(
    "Advice of the checks. This filter, `ai_result` and `vision_category` leave out posts whose advice is hidden from the caller.",
  ).optional(),
  ai_result: AiResult.optional(),
  vision_category: queryText(64, "Label of the picture check.").optional(),
  author: queryText(500, "`@user@host`, or a user name on any host.").optional(),
  instance: queryText(255, "The author's host.").optional(),
  happened: TimedEvent.optional().meta({
    description:
      "Event whose time `since`, `until` and the orders `newest` and `oldest` use; posts without this event are not listed. Default: `created`. `reviewed`: the current decision, including decisions of filters. `errored`: the change to the state error.",
  }),
  since: queryTime("Time of the event `happened`, at or after.").optional(),
  until: queryTime("Time of the event `happened`, at or before.").optional(),
  reviewer: queryInteger(
    0,
    MAX_ID,
    "Id of the member who decided, also through a key; 0: decisions without a known member. Excludes decisions of filters.",
  ).optional(),
  reviewed_by: queryText(200, "Name of the member or key that decided.").optional(),
  auto_rejected: queryBoolean("true: rejected by filters, false: all others.").optional(),
  auto_reject_reason: queryText(200, "Rejected by filters for this reason.").optional(),
  error_reason: queryText(
    1000,
    "In state error for this reason; the first 200 characters are compared.",
  ).optional(),
  waited_for_review: queryInteger(
    0,
    MAX_ID,
    "Decided at least this number of seconds after the fetch.",
  ).optional(),
  waited_for_delivery: queryInteger(
    0,
    MAX_ID,
    "Delivered at least this number of seconds after the approval.",
  ).optional(),
};
export const PostFilters = z.object(postFilters);
export type PostFilters = z.output<typeof PostFilters> & {
  /** Not a query parameter: the streams of a bound key. */
  own_streams?: number[] | undefined;
  /** Not a query parameter: the desk of a member, which hides the advice on the blind tenth. */
  hides_advice?: boolean | undefined;
};

/** Query of `GET /posts`. */
export const PostQuery = z.object({
  ...paging(),
  ...postFilters,
  order: PostOrder.optional().default("newest"),
});
export type PostQuery = z.output<typeof PostQuery>;
