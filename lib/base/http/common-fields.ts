import { z } from "zod";
import { isoTime, nullableString, queryTime, stringField } from "./fields.ts";

/** Query parameter of the real run that follows a `dry_run`. */
export const asOfQuery = queryTime(
  "`as_of` of the answer to `dry_run`: leave out posts that came or changed since.",
).optional();

/** Fields that several schemas have. A name means the same in all of them. */
export const common = {
  action: stringField("Operation that made this entry.", "approve"),
  actor: stringField("Name of the member, key or part of the service that did it.", "Ana"),
  approved: z.boolean().nullable().describe("True: approved, false: rejected, null: not reviewed yet."),
  at: isoTime.describe("When it happened."),
  author_account: stringField("Author as `@user@host`.", "@ana@mastodon.example"),
  changed: z.int().describe("Posts that were changed."),
  content_snippet: stringField(
    "Plain text of the post, at most 280 characters; never empty.",
    "A heron at the weir this morning #birds",
  ),
  created_at: isoTime.describe("When it was made."),
  from: nullableString("State before; null for none.", "pending"),
  hashtag: stringField("Hashtag without `#`.", "birds"),
  hashtags: z.array(z.string()).describe("Hashtags of the post as written, without `#`."),
  id: z.int().meta({ description: "Id of this entry.", example: 4 }),
  text_id: stringField("Id of this entry.", "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11"),
  instance: stringField("Host name of the server.", "mastodon.example"),
  last_fetch: isoTime.nullable().describe("Time of the latest successful fetch; null before the first."),
  limit: z.int().describe("Largest number of items of this page."),
  member_id: z.int().nullable().meta({ description: "Id of the member; null for others.", example: 1 }),
  message: stringField("One sentence about it.", "must not be empty"),
  name: stringField("Name.", "Boost bot"),
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
  reviewed_at: isoTime.nullable().describe("When the post was decided; null for not yet."),
  skip: z.int().describe("Items that were skipped."),
  to: nullableString("State after; null for none.", "reserved"),
  updated_at: isoTime.describe("When it was last changed."),
  url: stringField("Web address.", "https://mastodon.example/@ana/113"),
  url_or_null: nullableString("Web address.", "https://mastodon.example/@ana/113"),
  version: stringField("Version.", "1.0.0"),
};
