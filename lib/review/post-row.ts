import type { RowOf } from "#lib/base/clock.ts";
import { Prisma } from "#lib/base/db.ts";
import { isExpired } from "#lib/queue/expired.ts";
import type { Post } from "./post-schema.ts";

/** Why the service rejected a post: a filter, or the post's own server. The screens have a text for each reason. */
export type AutoRejectReason = "blocked_user" | "blocked_hashtag" | "bot" | "gone" | "withdrawn";

/** A row of `postColumns`: a post with its queue entry, if it has one. `serializePost` turns it into the post of the API. */
export type PostRow = RowOf<Omit<Post, "media_attachments" | "media_covered" | "held_by" | "emojis">> & {
  media_attachments: unknown;
  emojis: unknown;
  /** Whether a check that votes found an explicit picture. */
  media_covered: boolean;
  /** The bits of the entry's holds. */
  held_by: number | null;
};

/** Select list for `post p LEFT JOIN queue_entry e ON e.post_id = p.id`. Each column makes lists of posts slower. */
const columnsOf = (isCard: boolean) => Prisma.sql`
  p.id, p.uri AS post_id, p.url, p.content, p.author_username, nullif(p.author_display_name, '') AS author_display_name,
  p.author_account, p.author_url, p.author_avatar_url, p.author_is_bot,
  ${isCard ? Prisma.sql`p.author_locked, p.author_created_at,` : Prisma.empty}
  p.instance, p.created_at, p.edited_at, p.erased_at, p.fetched_at, p.confirmed_at, p.confirmed_by, p.version, p.hashtags,
  p.boosts, p.likes, p.replies, p.language, p.sensitive, nullif(p.spoiler_text, '') AS spoiler_text, p.in_reply_to, p.poll,
  ${isCard ? Prisma.sql`p.quote, p.card,` : Prisma.empty}
  p.emojis, p.stream_id, p.stream_hashtag AS stream, p.approved, p.approved IS NOT NULL AS reviewed,
  p.reviewed_at, p.approved_at, p.reviewer_notes, p.manual_spam_score, p.auto_reject_reason,
  p.reject_reason_id AS reject_reason, (SELECT label FROM reject_reason r WHERE r.id = p.reject_reason_id) AS reject_reason_label,
  p.consent, p.ai_would_reject, p.ai_score, p.ai_reasons, p.text_reason, p.vision_category, p.vision_confidence,
  CASE WHEN p.approved IS NULL AND p.media_count > 0
       THEN coalesce((SELECT k.picture_state = 'waiting' FROM post_check k WHERE k.post_id = p.id), false)
       ELSE false END AS pictures_waiting,
  e.state AS queue_status, coalesce(e.deliveries, 0) AS delivery_count, coalesce(e.nacks, 0) AS nack_count,
  e.reserved_at, CASE WHEN ${isExpired} THEN e.lease_expires_at END AS reservation_expired_at, e.delivered_at, e.errored_at,
  e.error_reason, e.error_details, p.media AS media_attachments,
  jsonb_path_exists(p.ai_checks, '$[*] ? (@.name == "picture_explicit" && @.score >= 0.3)') AS media_covered,
  e.holds AS held_by`;
export const postColumns = columnsOf(false);
export const cardColumns = columnsOf(true);
