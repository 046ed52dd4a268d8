import { toIso } from "#lib/base/clock.ts";
import { upsettingCategories } from "#lib/checks/results/opinion.ts";
import { type Emoji, pickEmojis } from "#lib/fediverse/emojis.ts";
import { heldBy } from "#lib/queue/holds.ts";
import type { PostRow } from "./post-row.ts";
import type { HistoryLine, Media, Post, PostCard } from "./post-schema.ts";

type Json = Record<string, unknown>;

/** A post as the API shows it. */
export function serializePost(row: PostRow): Post {
  return {
    id: row.id,
    post_id: row.uri,
    url: row.url,
    content: row.content,
    author_username: bareName(row.author_username),
    instance: hostOf(row.author_account) ?? row.instance,
    created_at: toIso(row.created_at),
    reviewed_at: toIso(row.reviewed_at),
    approved: row.approved,
    hashtags: row.hashtags,
    media_attachments: mediaOf(row.media),
    ai_would_reject: row.ai_would_reject,
    vision_category: row.vision_category,
    queue_status: row.queue_status as Post["queue_status"],
    stream_id: row.stream_id,
    author_display_name: row.author_display_name || null,
    author_account: row.author_account,
    author_url: row.author_url,
    author_is_bot: row.author_is_bot,
    author_avatar_url: row.author_avatar_url,
    edited_at: toIso(row.edited_at),
    erased_at: toIso(row.erased_at),
    fetched_at: toIso(row.fetched_at),
    confirmed_at: toIso(row.confirmed_at),
    confirmed_by: row.confirmed_by,
    version: row.version,
    approved_at: toIso(row.approved_at),
    language: row.language,
    sensitive: row.sensitive,
    spoiler_text: row.spoiler_text || null,
    boosts: row.boosts,
    likes: row.likes,
    replies: row.replies,
    in_reply_to: row.in_reply_to,
    stream: row.stream_hashtag,
    reviewed: row.approved !== null,
    reviewer_notes: row.reviewer_notes,
    manual_spam_score: row.manual_spam_score,
    auto_reject_reason: row.auto_reject_reason,
    reject_reason: row.reject_reason,
    reject_reason_label: row.reject_reason_label,
    text_reason: row.text_reason,
    vision_confidence: row.vision_confidence,
    ai_reasons: reasonsOf(row),
    ai_score: row.ai_score,
    pictures_waiting: row.pictures_waiting,
    media_covered:
      hasMedia(row) && (isMarked(row) || row.picture_explicit || isUpsetting(row.vision_category)),
    held_by: heldReason(row),
    delivery_count: row.queue_deliveries ?? 0,
    nack_count: row.queue_nacks ?? 0,
    reserved_at: toIso(row.queue_reserved_at),
    reservation_expired_at: toIso(row.queue_expired_at),
    delivered_at: toIso(row.queue_delivered_at),
    error_reason: row.queue_error_reason,
    error_details: objectOrNull(row.queue_error_details),
    errored_at: toIso(row.queue_errored_at),
    poll: objectOrNull(row.poll),
    emojis: emojisOf(row),
    consent: objectOrNull(row.consent) ?? {},
  };
}

/** The same with the fields that only a review card and the detail page show. */
export function serializeCard(row: PostRow): PostCard {
  return {
    ...serializePost(row),
    author_locked: row.author_locked,
    author_created_at: toIso(row.author_created_at),
    quote: objectOrNull(row.quote),
    card: objectOrNull(row.card),
  };
}

/** A row of post_event. */
export interface HistoryRow {
  at: Date;
  actor: string;
  member_id: number | null;
  source: string;
  action: string;
  from_state: string | null;
  to_state: string | null;
  note: string | null;
  reject_reason_label: string | null;
}

export function serializeHistory(row: HistoryRow): HistoryLine {
  return {
    at: toIso(row.at),
    actor: row.actor,
    member_id: row.member_id,
    source: row.source as HistoryLine["source"],
    action: row.action,
    from: row.from_state,
    to: row.to_state,
    note: row.note,
    reject_reason_label: row.reject_reason_label,
  };
}

/** A delivered post was handed out; nothing holds it any more. A reserved one is held when it comes back. */
function heldReason(row: PostRow): string | null {
  return row.queue_holds === null || row.queue_status === "delivered"
    ? null
    : heldBy({ holds: row.queue_holds });
}

function reasonsOf({ ai_reasons }: PostRow): string[] {
  return Array.isArray(ai_reasons) ? ai_reasons.filter((reason) => typeof reason === "string") : [];
}

function isUpsetting(category: string | null): boolean {
  return (upsettingCategories as readonly (string | null)[]).includes(category);
}

/** By the author. */
function isMarked({ sensitive, spoiler_text }: PostRow): boolean {
  return sensitive || Boolean(spoiler_text);
}

function hasMedia({ media }: PostRow): boolean {
  return Array.isArray(media) && media.length > 0;
}

/** The user name without a host, also where a server wrote `user@host` into it. */
function bareName(username: string): string {
  return username.replace(/^@/, "").split("@")[0] || username;
}

/** Host part of "@user@host". */
function hostOf(account: string): string | null {
  return /^@?[^@]+@(.+)$/.exec(account)?.[1] ?? null;
}

function emojisOf(row: PostRow): Emoji[] {
  const options = objectOrNull(row.poll)?.options;
  const titles = Array.isArray(options) ? (options as Json[]).map(({ title }) => textOrNull(title)) : [];
  return pickEmojis(row.emojis, [row.author_display_name, row.content, row.spoiler_text, ...titles]);
}

function mediaOf(media: unknown): Media[] {
  if (!Array.isArray(media)) return [];
  return (media as Json[]).map((medium) => ({
    type: textOrNull(medium.type) ?? "unknown",
    url: textOrNull(medium.url) ?? "",
    preview_url: textOrNull(medium.preview_url),
    description: textOrNull(medium.description),
    blurhash: textOrNull(medium.blurhash),
    width: wholeOrNull(medium.width),
    height: wholeOrNull(medium.height),
  }));
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function wholeOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : null;
}

function objectOrNull(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
}
