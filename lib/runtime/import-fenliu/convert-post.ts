import type { Address } from "#lib/collect/adopt-address.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { normaliseStatus } from "#lib/fediverse/normalise-status.ts";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";

type Flag = 0 | 1 | null;

/** A row of `posts`. Older versions of FenLiu lack some columns. */
export interface FenLiuPost {
  id: number;
  /** Id on the server from which it was fetched. */
  post_id: string;
  content: string;
  author_username: string | null;
  author_display_name: string | null;
  author_url: string | null;
  author_is_bot: Flag;
  hashtags: string | null;
  media_attachments: string | null;
  boosts: number;
  likes: number;
  replies: number;
  url: string | null;
  created_at: string | null;
  fetched_at: string;
  reviewed_at: string | null;
  auto_reject_reason: string | null;
  approved: Flag;
  curated_exported: Flag;
  export_date: string | null;
  queue_status: string | null;
  reserved_at: string | null;
  delivered_at: string | null;
  error_reason: string | null;
  errored_at: string | null;
  error_details?: string | null;
  stream_id: number | null;
  manual_spam_score?: number | null;
  reviewer_notes?: string | null;
}

/** Time as ISO 8601. FenLiu stores UTC without a zone. */
export function isoOf(time: string | null | undefined): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?/.exec(time ?? "");
  if (match === null) return null;
  const parsed = new Date(`${match[1]}T${match[2]}${(match[3] ?? "").slice(0, 4)}Z`);
  return Number.isNaN(parsed.getTime()) ? null : parsed.toISOString();
}

export function jsonOf(text: string | null | undefined): unknown {
  try {
    return text == null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A host that no server has, so that the post is read as a copy, which its own server must confirm. */
const COPY_OF = "fenliu.invalid";

export function toNormalised(row: FenLiuPost, { uri }: Address, now: Date): NormaliseResult {
  const key = row.author_url === null ? null : authorKey(row.author_url);
  const host = parseWebUrl(row.author_url ?? uri)?.host ?? "";
  const name = row.author_username?.replace(/^@/, "") ?? key?.split("@")[0] ?? "";
  const status = {
    id: row.post_id,
    uri,
    url: row.url,
    visibility: "public",
    content: row.content,
    created_at: isoOf(row.created_at) ?? isoOf(row.fetched_at),
    account: {
      acct: name.includes("@") ? name : `${name}@${host}`,
      display_name: row.author_display_name,
      url: row.author_url,
      bot: row.author_is_bot === 1,
    },
    tags: (jsonOf(row.hashtags) as unknown[] | undefined)?.map((tag) => ({ name: tag })),
    media_attachments: jsonOf(row.media_attachments),
    reblogs_count: row.boosts,
    favourites_count: row.likes,
    replies_count: row.replies,
  };
  return normaliseStatus(status, { host: COPY_OF, now });
}

export type FenLiuState = "unreviewed" | "rejected" | "pending" | "reserved" | "delivered" | "error";
const queueStates: readonly string[] = ["pending", "reserved", "delivered", "error"];

type Head = Pick<FenLiuPost, "approved" | "auto_reject_reason" | "curated_exported" | "queue_status">;

/** State of a post. An approved post outside FenLiu's queue is delivered if it was exported to a file, otherwise it waits. */
export function stateOf({ approved, auto_reject_reason, curated_exported, queue_status }: Head): FenLiuState {
  if (approved === 0 || (approved === null && auto_reject_reason !== null)) return "rejected";
  if (queue_status !== null && queueStates.includes(queue_status)) return queue_status as FenLiuState;
  if (approved === null) return "unreviewed";
  return curated_exported === 1 ? "delivered" : "pending";
}

/** Reason of an automatic rejection that Sluice has, too. The history of the post keeps others. */
export function autoReason({ auto_reject_reason: reason }: Head): AutoRejectReason | null {
  if (reason === null || reason === "") return null;
  if (/hashtag|tag/i.test(reason)) return "blocked_hashtag";
  if (/bot\b/i.test(reason)) return "bot";
  return /user|author|account|block/i.test(reason) ? "blocked_user" : null;
}
