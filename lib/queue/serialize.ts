import { toIso } from "#lib/clock.ts";
import type { QueueItem } from "./schema.ts";
import type { ReservedRow } from "./sql.ts";

/**
 * The queue item of the specification. A consumer in use drops a post whose url is missing or not https in
 * silence (consumers.md), so the canonical uri stands in for such a url.
 */
export function serializeQueueItem(row: ReservedRow): QueueItem {
  const usable = row.url !== null && (row.url.startsWith("https://") || !row.uri.startsWith("https://"));
  return {
    fenliu_post_id: row.post_id,
    post_uri: row.uri,
    post_url: usable ? (row.url as string) : row.uri,
    author_account: row.author_account,
    content_snippet: row.snippet === "" ? "(no text)" : row.snippet,
    hashtags: row.hashtags,
    stream: row.stream_hashtag ?? "",
    has_attachments: row.has_attachments,
    post_created_at: toIso(row.post_created_at),
    approved_at: toIso(row.approved_at),
    is_topical: row.is_topical,
  };
}
