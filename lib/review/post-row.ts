import { Prisma } from "#lib/base/db.ts";
import { isExpired } from "#lib/queue/expired.ts";

/** Why a filter or the post's own server rejected it. Screens name each reason. */
export type AutoRejectReason = "blocked_user" | "blocked_hashtag" | "bot" | "gone" | "withdrawn";

/** A post with its queue entry, if it has one: the columns of `postColumns`. */
export interface PostRow {
  id: number;
  uri: string;
  url: string | null;
  content: string;
  author_username: string;
  author_display_name: string | null;
  author_account: string;
  author_key: string;
  author_url: string | null;
  author_avatar_url: string | null;
  author_is_bot: boolean;
  author_locked: boolean;
  author_created_at: Date | null;
  instance: string;
  created_at: Date;
  edited_at: Date | null;
  erased_at: Date | null;
  fetched_at: Date;
  confirmed_at: Date | null;
  confirmed_by: string | null;
  version: number;
  hashtags: string[];
  media: unknown;
  boosts: number;
  likes: number;
  replies: number;
  language: string | null;
  sensitive: boolean;
  spoiler_text: string | null;
  in_reply_to: string | null;
  poll: unknown;
  quote: unknown;
  card: unknown;
  emojis: unknown;
  stream_id: number | null;
  stream_hashtag: string | null;
  approved: boolean | null;
  reviewed_at: Date | null;
  approved_at: Date | null;
  reviewer_notes: string | null;
  manual_spam_score: number | null;
  auto_reject_reason: string | null;
  reject_reason: number | null;
  reject_reason_label: string | null;
  consent: unknown;
  ai_would_reject: boolean | null;
  ai_score: number | null;
  ai_reasons: unknown;
  text_reason: string | null;
  vision_category: string | null;
  vision_confidence: number | null;
  pictures_waiting: boolean;
  picture_explicit: boolean;
  /** By a check that votes. */
  queue_status: string | null;
  queue_holds: number | null;
  queue_deliveries: number | null;
  queue_nacks: number | null;
  queue_reserved_at: Date | null;
  /** End of a reservation that has expired and was not returned yet. */
  queue_expired_at: Date | null;
  queue_delivered_at: Date | null;
  queue_errored_at: Date | null;
  queue_error_reason: string | null;
  queue_error_details: unknown;
}

/** Select list for `post p LEFT JOIN queue_entry e ON e.post_id = p.id`, without wide columns that no answer shows. */
export const postColumns = Prisma.sql`
  p.id, p.uri, p.url, p.content, p.author_username, p.author_display_name, p.author_account, p.author_key, p.author_url,
  p.author_avatar_url, p.author_is_bot, p.author_locked, p.author_created_at, p.instance, p.created_at, p.edited_at, p.erased_at,
  p.fetched_at, p.confirmed_at, p.confirmed_by, p.version, p.hashtags, p.media, p.boosts, p.likes, p.replies, p.language, p.sensitive, p.spoiler_text,
  p.in_reply_to, p.poll, p.quote, p.card, p.emojis, p.stream_id, p.stream_hashtag, p.approved, p.reviewed_at,
  p.approved_at, p.reviewer_notes, p.manual_spam_score, p.auto_reject_reason, p.reject_reason_id AS reject_reason,
  (SELECT label FROM reject_reason r WHERE r.id = p.reject_reason_id) AS reject_reason_label, p.consent, p.ai_would_reject,
  p.ai_score, p.ai_reasons, p.text_reason, p.vision_category, p.vision_confidence,
  CASE WHEN p.approved IS NULL AND p.media_count > 0
       THEN coalesce((SELECT k.picture_state = 'waiting' FROM post_check k WHERE k.post_id = p.id), false)
       ELSE false END AS pictures_waiting,
  jsonb_path_exists(p.ai_checks, '$[*] ? (@.name == "picture_explicit" && @.score >= 0.3)') AS picture_explicit,
  e.state AS queue_status, e.holds AS queue_holds, e.deliveries AS queue_deliveries,
  e.nacks AS queue_nacks, e.reserved_at AS queue_reserved_at,
  CASE WHEN ${isExpired} THEN e.lease_expires_at END AS queue_expired_at, e.delivered_at AS queue_delivered_at,
  e.errored_at AS queue_errored_at, e.error_reason AS queue_error_reason, e.error_details AS queue_error_details`;
