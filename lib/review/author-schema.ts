import { z } from "zod";
import { BlockedUser } from "#lib/filters/schema.ts";
import { countOf, isoTime } from "#lib/http/fields.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";

export const Standing = z.enum(["trusted", "muted", "none"]);
export type Standing = z.infer<typeof Standing>;

export const AuthorDecision = z.object({
  post_id: z.int(),
  approved: z.boolean(),
  reviewed_at: isoTime,
  auto_reject_reason: z.string().nullable(),
  reviewer_notes: z.string().nullable(),
  snippet: z.string(),
  emojis: z.array(Emoji).meta({ description: "Custom emojis used in the name." }),
});

/** Counted over the newest thousand. */
export const AuthorHistory = z
  .object({
    stored: countOf("author_stored"),
    approved: countOf("stored_approved"),
    rejected: countOf("stored_rejected"),
    auto_rejected: z.int().meta({ description: "Rejections by filters; included in `rejected`." }),
    standing: Standing,
    last_decisions: z.array(AuthorDecision),
  })
  .meta({ id: "AuthorHistory" });
export type AuthorHistory = z.infer<typeof AuthorHistory>;

export const Author = z
  .object({
    account: z.string().meta({ example: "@alice@mastodon.social" }),
    display_name: z.string().nullable(),
    url: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_bot: z.boolean(),
    posts: countOf("stored"),
    approved: countOf("stored_approved"),
    rejected: countOf("stored_rejected"),
    auto_rejected: z.int().meta({ description: "Rejections by filters; included in `rejected`." }),
    unreviewed: countOf("unreviewed"),
    first_post_at: isoTime.nullable(),
    last_post_at: isoTime.nullable(),
    standing: Standing,
    standing_set_by: z.string().nullable(),
    standing_set_at: isoTime.nullable(),
    blocked_by: z
      .array(BlockedUser.pick({ id: true, account_identifier: true, pattern_type: true, subdomains: true }))
      .meta({ description: "Entries of the block list that match this author." }),
    opt_out: z
      .object({ reason: z.string(), reported_at: isoTime })
      .nullable()
      .meta({ description: "Unresolved opt-out reported by a consumer, or null." }),
    last_decisions: z.array(AuthorDecision).meta({ description: "Newest first, at most 20." }),
  })
  .meta({ id: "Author" });
export type Author = z.infer<typeof Author>;

export const StandingChange = z
  .object({ standing: Standing })
  .meta({ id: "StandingChange", example: { standing: "trusted" } });
