import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { isoTime, nullableString, stringField } from "#lib/base/http/fields.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";
import { queueStates } from "#lib/queue/states.ts";

/** A medium of a post. */
export const Media = z
  .object({
    type: stringField("image, gifv, video, audio or unknown.", "image"),
    url: common.url,
    preview_url: nullableString(
      "Address of a smaller version.",
      "https://files.mastodon.example/media/113-small.jpg",
    ),
    description: nullableString("Alt text.", "A grey heron stands in shallow water"),
    blurhash: nullableString("Blurred preview as a BlurHash string.", "LEHV6nWB2yk8pyo0adR*.7kCMdnj"),
    width: z.int().nullable().describe("Width in pixels."),
    height: z.int().nullable().describe("Height in pixels."),
  })
  .meta({ id: "Media" });
export type Media = z.infer<typeof Media>;

/** A post. */
export const Post = z
  .object({
    id: z.int().meta({
      description: "Id of the post. It is `fenliu_post_id` in the queue and `post_id` in paths of the queue.",
      example: 42,
    }),
    post_id: stringField("Canonical URI.", "https://mastodon.social/users/alice/statuses/1"),
    url: common.url_or_null,
    content: stringField("Sanitised HTML.", "<p>A heron at the weir this morning</p>"),
    author_username: stringField("Name of the author without the host.", "alice"),
    instance: stringField("The author's own host.", "mastodon.social"),
    created_at: common.created_at,
    reviewed_at: common.reviewed_at,
    approved: z.boolean().nullable().describe("Null when not reviewed."),
    hashtags: common.hashtags,
    media_attachments: z.array(Media).describe("Media of the post, in its order."),
    ai_would_reject: z
      .boolean()
      .nullable()
      .describe("Advice of the checks; null before the first check. It decides nothing."),
    vision_category: nullableString("Category of the worst picture; null while pictures wait.", "neutral"),
    queue_status: z
      .enum(queueStates)
      .nullable()
      .describe("State of the queue; null for posts that are not in it."),
    stream_id: z.int().nullable().meta({ description: "Id of the stream; null for none.", example: 2 }),
    author_display_name: nullableString("Display name of the author.", "Ana"),
    author_account: stringField("Author as `@user@host`.", "@alice@mastodon.social"),
    author_url: nullableString("Web address of the author's profile.", "https://mastodon.example/@ana"),
    author_is_bot: z.boolean().describe("Whether the account says that it is automated."),
    author_avatar_url: nullableString(
      "Address of the author's avatar, from the source.",
      "https://files.mastodon.example/avatars/ana.png",
    ),
    edited_at: isoTime.nullable().describe("When the author last edited the post."),
    erased_at: isoTime
      .nullable()
      .describe(
        "When the content was erased, because the post is deleted or no longer public at its own server.",
      ),
    fetched_at: isoTime.describe("When the post was first stored."),
    confirmed_at: isoTime
      .nullable()
      .describe("When the post was last shown by its own server, or by `confirmed_by`."),
    confirmed_by: nullableString(
      "The server that last showed the post. Another one than the post's own, if that answers no strangers.",
      "mastodon.example",
    ),
    version: z
      .int()
      .describe(
        "Rises with each edit of text, content warning, media, alt text, poll, link card or sensitive mark.",
      ),
    approved_at: isoTime.nullable().describe("Time of the approval that added the post to the queue."),
    language: nullableString("Language as an ISO 639 code, as the author set it.", "en"),
    sensitive: z.boolean().describe("Whether the author marked the media as sensitive."),
    spoiler_text: nullableString("Content warning.", "Spider"),
    boosts: z.int().describe("Boosts when the post was last seen."),
    likes: z.int().describe("Likes when the post was last seen."),
    replies: z.int().describe("Replies when the post was last seen."),
    in_reply_to: nullableString(
      "Address of the post that this one answers.",
      "https://mastodon.example/users/ben/statuses/112",
    ),
    stream: nullableString("Hashtag of the source stream; kept when the stream is deleted.", "birds"),
    reviewed: z.boolean().describe("Whether the post was decided."),
    reviewer_notes: nullableString("Note of the reviewer; null for none.", "Good picture"),
    manual_spam_score: z.int().nullable().describe("Score that a reviewer gave, 0 to 100; null for none."),
    auto_reject_reason: nullableString(
      "Why the service rejected the post: `blocked_user`, `blocked_hashtag`, `bot`, `gone` or `withdrawn`; null when it did not.",
      "blocked_user",
    ),
    reject_reason: common.reject_reason,
    reject_reason_label: common.reject_reason_label,
    text_reason: nullableString("First reason of the text rules; null when none matched.", "Many links"),
    vision_confidence: z.number().nullable().describe("Probability of that category; null without one."),
    ai_reasons: z.array(z.string()).describe("At most three reasons of the checks."),
    ai_score: z
      .number()
      .nullable()
      .describe("Score of the checks from 0 (approve) to 1 (reject); null before the first check."),
    pictures_waiting: z
      .boolean()
      .describe("True while pictures of the unreviewed post are still to be checked."),
    media_covered: z
      .boolean()
      .describe(
        "True when media should start covered: content warning, marked sensitive, or a picture that may be upsetting.",
      ),
    held_by: nullableString("Reason for which the approved post is not handed out now.", "unconfirmed"),
    delivery_count: z.int().describe("How often the post was handed out."),
    nack_count: z.int().describe("How often bots returned the post."),
    reserved_at: isoTime.nullable().describe("When a bot reserved the post."),
    reservation_expired_at: isoTime
      .nullable()
      .describe(
        "When the reservation expired; the next request of a bot returns the post to the queue. Null in all other cases.",
      ),
    delivered_at: isoTime.nullable().describe("When the post was acknowledged."),
    error_reason: nullableString("Reason that the bot sent.", "Status not found on fediverse"),
    error_details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Structured details that the bot sent."),
    errored_at: isoTime.nullable().describe("When the error was reported."),
    poll: z.record(z.string(), z.unknown()).nullable().describe("Poll of the post; null without one."),
    emojis: z
      .array(Emoji)
      .describe("Custom emojis that occur in the author's name, content, content warning or poll."),
    consent: z.record(z.string(), z.unknown()).describe("Consent signals seen on the post and its author."),
  })
  .meta({ id: "Post" });
export type Post = z.infer<typeof Post>;

/** Fields of a review card beyond those of the list: author marks, quote, link card. */
const cardFields = {
  author_locked: z.boolean().describe("Whether the account approves its followers by hand."),
  author_created_at: isoTime
    .nullable()
    .describe("When the author's account was made, if its server says so."),
  quote: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The quoted post that the source sent; null without one."),
  card: z.record(z.string(), z.unknown()).nullable().describe("Link preview that the source sent."),
};

/** A post as the review desk shows it. */
export const PostCard = Post.extend(cardFields).meta({ id: "PostCard" });
export type PostCard = z.infer<typeof PostCard>;

/** One line of a post's history. */
export const HistoryLine = z
  .object({
    at: common.at,
    actor: common.actor,
    member_id: common.member_id,
    source: z
      .enum(["screen", "api", "filter", "service"])
      .describe("Part of the service through which it was done."),
    action: common.action,
    from: common.from,
    to: common.to,
    note: common.note,
    reject_reason_label: common.reject_reason_label,
  })
  .meta({ id: "HistoryLine" });
export type HistoryLine = z.infer<typeof HistoryLine>;

/** `GET /posts/{id}`. */
export const PostDetail = PostCard.extend({
  history: z.array(HistoryLine).describe("Oldest first."),
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
  .describe(
    `True when a search for frequent words stopped after the first ${MAX_SEARCHED} posts, in this order, that match the other filters. With another filter, a date or a rarer word all posts are searched.`,
  );

/** `GET /posts`. */
export const PostList = z
  .object({
    items: z.array(Post).describe("Entries of this page."),
    total: z.int().describe("Number of matching posts."),
    total_is_more: z
      .literal(true)
      .optional()
      .describe(
        "True when counting stopped at `total`: for more than 100 000 posts by `happened`, and with `incomplete_results`.",
      ),
    incomplete_results: incompleteResults,
    skip: common.skip,
    limit: common.limit,
  })
  .meta({ id: "PostList" });
export type PostList = z.infer<typeof PostList>;
