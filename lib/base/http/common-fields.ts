import { z } from "zod";
import { isoTime, nullableString, queryTime, stringField } from "./fields.ts";

/** Of the execution that follows a `dry_run`. */
export const asOfQuery = queryTime(
  "`as_of` of the answer to `dry_run`: leave out posts that came or changed since.",
).optional();

/** Fields that several schemas have. A name means the same in all of them. */
export const common = {
  action: stringField("Operation that made this entry.", "approve"),
  actor: stringField("Name of the member, key or part of the service that did it.", "Ana"),
  approved: z.boolean().nullable().describe("True: approved, false: rejected, null: not reviewed yet."),
  approved_at: isoTime.describe("When the post was approved."),
  at: isoTime.describe("When it happened."),
  author_account: stringField("Author as `@user@host`.", "@ana@mastodon.example"),
  author_display_name: nullableString("Display name of the author.", "Ana"),
  auto_reject_reason: nullableString(
    "Filter that rejected the post on arrival; null for a decision of a person.",
    "blocked_user",
  ),
  changed: z.int().describe("Posts that were changed."),
  content: stringField("Sanitised HTML.", "<p>A heron at the weir this morning</p>"),
  content_snippet: stringField(
    "Plain text of the post, at most 280 characters; never empty.",
    "A heron at the weir this morning #birds",
  ),
  created_at: isoTime.describe("When it was made."),
  date: stringField("Day in UTC.", "2026-05-04"),
  delivery_count: z.int().describe("How often the post was handed out."),
  detail: stringField(
    "Why nothing was changed, in one sentence.",
    "Post is in state 'delivered', expected 'pending'",
  ),
  display_name: nullableString("Display name.", "Ana"),
  error: nullableString(
    "The error in one sentence; null without one.",
    "mastodon.example did not answer in time",
  ),
  errors: z.int().describe("Failures."),
  from: nullableString("State before; null for none.", "pending"),
  has_attachments: z.boolean().describe("Whether the post has media."),
  hashtag: stringField("Hashtag without `#`.", "birds"),
  hashtags: z.array(z.string()).describe("Hashtags of the post as written, without `#`."),
  id: z.int().meta({ description: "Id of this entry.", example: 4 }),
  text_id: stringField("Id of this entry.", "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11"),
  instance: stringField("Host name of the server.", "mastodon.example"),
  language: nullableString("Language as an ISO 639 code, as the author set it.", "en"),
  last_error: nullableString(
    "Latest failure in one sentence; null when the last attempt succeeded.",
    "mastodon.example did not answer in time",
  ),
  last_fetch: isoTime.nullable().describe("Time of the latest successful fetch; null before the first."),
  limit: z.int().describe("Largest number of items of this page."),
  manual_spam_score: z.int().nullable().describe("Score that a reviewer gave, 0 to 100; null for none."),
  member_id: z.int().nullable().meta({ description: "Id of the member; null for others.", example: 1 }),
  message: stringField("One sentence about it.", "must not be empty"),
  name: stringField("Name.", "Boost bot"),
  check_name: stringField("Name.", "rules"),
  next_cursor: nullableString("Value of `cursor` for the next page; null at the end.", "1200-77"),
  note: nullableString("Note; null for none.", "Same picture as last week"),
  post_id: z.int().meta({
    description: "Id of the post: `id` in `GET /posts`, `fenliu_post_id` in the queue.",
    example: 42,
  }),
  reason: stringField(
    "Reason, in a fixed form so that equal ones can be grouped.",
    "Status not found on fediverse",
  ),
  reject_reason: z.int().nullable().meta({
    description: "Id of the reason of a reviewer's rejection (`GET /reject-reasons`); null for none.",
    example: 1,
  }),
  reject_reason_label: nullableString("Present name of that reason.", "Off topic"),
  reported_at: isoTime.describe("When a consumer reported it."),
  reserved_at: isoTime.nullable().describe("When a consumer reserved the post."),
  reviewed_at: isoTime.nullable().describe("When the post was decided; null for not yet."),
  reviewer_notes: nullableString("Note of the reviewer; null for none.", "Good picture"),
  sensitive: z.boolean().describe("Whether the author marked the media as sensitive."),
  skip: z.int().describe("Items that were skipped."),
  snippet: stringField("Beginning of the text.", "A heron at the weir this morning"),
  spoiler_text: nullableString("Content warning.", "Spider"),
  stream: stringField("Hashtag of the stream that brought the post, without `#`.", "birds"),
  timeouts: z.int().describe("Reservations that ended without an answer."),
  to: nullableString("State after; null for none.", "reserved"),
  total: z.int().describe("All items that match, on every page."),
  updated_at: isoTime.describe("When it was last changed."),
  url: stringField("Web address.", "https://mastodon.example/@ana/113"),
  url_or_null: nullableString("Web address.", "https://mastodon.example/@ana/113"),
  version: stringField("Version.", "1.0.0"),
  vision_category: nullableString("Category of the worst picture; null while pictures wait.", "neutral"),
};
