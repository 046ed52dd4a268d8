import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { countOf, isoTime, nullableString, stringField } from "#lib/base/http/fields.ts";
import { BlockedUser } from "#lib/blocking/schema.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";

export const AuthorDecision = z.object({
  post_id: common.post_id,
  approved: z.boolean().describe("True: approved, false: rejected, null: not reviewed yet."),
  reviewed_at: isoTime.describe("When the post was decided; null for not yet."),
  auto_reject_reason: common.auto_reject_reason,
  reject_reason_label: common.reject_reason_label,
  reviewer_notes: common.reviewer_notes,
  snippet: common.snippet,
  emojis: z.array(Emoji).describe("Custom emojis used in the name."),
});

/** Counted over the newest thousand. */
export const AuthorHistory = z
  .object({
    stored: countOf("author_stored"),
    approved: countOf("stored_approved"),
    rejected: countOf("stored_rejected"),
    auto_rejected: z.int().describe("Rejections by filters; included in `rejected`."),
    last_decisions: z.array(AuthorDecision).describe("Latest decisions, newest first."),
  })
  .meta({ id: "AuthorHistory" });
export type AuthorHistory = z.infer<typeof AuthorHistory>;

export const Author = z
  .object({
    account: stringField("Account as `@user@host`.", "@alice@mastodon.social"),
    display_name: common.display_name,
    url: common.url_or_null,
    avatar_url: nullableString(
      "Address of the avatar, from the source.",
      "https://files.mastodon.example/avatars/ana.png",
    ),
    is_bot: z.boolean().describe("Whether the account says that it is automated."),
    posts: countOf("stored"),
    approved: countOf("stored_approved"),
    rejected: countOf("stored_rejected"),
    auto_rejected: z.int().describe("Rejections by filters; included in `rejected`."),
    unreviewed: countOf("unreviewed"),
    first_post_at: isoTime.nullable().describe("Time of the author's oldest post here."),
    last_post_at: isoTime.nullable().describe("Time of the author's newest post here."),
    blocked_by: z
      .array(BlockedUser.pick({ id: true, account_identifier: true, pattern_type: true, subdomains: true }))
      .describe("Entries of the block list that match this author."),
    opt_out: z
      .object({ reason: common.reason, reported_at: common.reported_at })
      .nullable()
      .describe("Unresolved opt-out reported by a consumer, or null."),
    last_decisions: z.array(AuthorDecision).describe("Newest first, at most 20."),
  })
  .meta({ id: "Author" });
export type Author = z.infer<typeof Author>;
