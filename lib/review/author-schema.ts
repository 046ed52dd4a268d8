import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { countOf, isoTime, nullableString, stringField } from "#lib/base/http/fields.ts";
import { BlockedUser } from "#lib/blocking/schema.ts";

/** An author's posts, counted up to the newest 1000. */
export const AuthorHistory = z
  .object({
    stored: countOf("author_stored"),
    approved: countOf("stored_approved"),
    rejected: countOf("stored_rejected"),
    auto_rejected: z.int().describe("Rejections by filters; included in `rejected`."),
  })
  .meta({ id: "AuthorHistory" });
export type AuthorHistory = z.infer<typeof AuthorHistory>;

export const Author = z
  .object({
    account: stringField("Account as `@user@host`.", "@alice@mastodon.social"),
    display_name: nullableString("Display name.", "Ana"),
    url: common.url_or_null,
    avatar_url: nullableString(
      "Address of the avatar, from the source.",
      "https://files.mastodon.example/avatars/ana.png",
    ),
    is_bot: z.boolean().describe("Whether the account says that it is automated."),
    posts: countOf("stored"),
    ...AuthorHistory.omit({ stored: true }).shape,
    unreviewed: countOf("unreviewed"),
    first_post_at: isoTime.nullable().describe("Time of the author's oldest post here."),
    last_post_at: isoTime.nullable().describe("Time of the author's newest post here."),
    blocked_by: z
      .array(BlockedUser.pick({ id: true, account_identifier: true, pattern_type: true, subdomains: true }))
      .describe("Entries of the block list that match this author."),
    opt_out: z
      .object({ reason: common.reason, reported_at: isoTime.describe("When a bot reported it.") })
      .nullable()
      .describe("Unresolved opt-out reported by a bot, or null."),
  })
  .meta({ id: "Author" });
export type Author = z.infer<typeof Author>;
