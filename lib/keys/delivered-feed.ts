import { createHash } from "node:crypto";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { requireFeed } from "./feed-token.ts";

const POSTS = 50;

interface FeedRow {
  id: number;
  uri: string;
  url: string | null;
  author_account: string;
  snippet: string;
  hashtags: string[];
  delivered_at: Date;
}

export interface Feed {
  body: string;
  /** For `If-None-Match`. */
  etag: string;
}

/**
 * The newest posts that a key delivered, as JSON Feed 1.1 or RSS 2.0. Only posts that could still be delivered: stored,
 * approved, not erased, and not by an author or with a hashtag that is blocked or has opted out since.
 *
 * @throws ApiError `feed_not_found`
 */
export async function deliveredFeed(keyId: number, token: string, format: "json" | "rss"): Promise<Feed> {
  const name = await requireFeed(keyId, token);
  const rows = await feedRows(keyId);
  const body = format === "json" ? jsonFeed(keyId, name, rows) : rssFeed(keyId, name, rows);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
}

function feedRows(keyId: number): Promise<FeedRow[]> {
  return db.$queryRaw<FeedRow[]>`
    SELECT p.id, p.uri, p.url, p.author_account, p.snippet, p.hashtags, q.delivered_at
      FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'delivered' AND q.lease_key_id = ${keyId}::int AND p.approved AND p.erased_at IS NULL
       AND block_bits(q.author_key, q.tags) = 0
       AND NOT EXISTS (SELECT FROM reported_opt_out o WHERE o.author_key = q.author_key AND o.resolved_at IS NULL)
     ORDER BY q.delivered_at DESC, p.id DESC LIMIT ${POSTS}`;
}

function titleOf(name: string): string {
  return `Boosted by ${name}`;
}

function pageOf(keyId: number): string {
  return `${env().PUBLIC_URL}/settings/keys/${keyId}`;
}

function jsonFeed(keyId: number, name: string, rows: FeedRow[]): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(name),
    home_page_url: pageOf(keyId),
    items: rows.map((row) => ({
      id: row.uri,
      url: row.url ?? row.uri,
      title: row.author_account,
      content_text: row.snippet,
      date_published: toIso(row.delivered_at),
      tags: row.hashtags,
    })),
  });
}

function rssFeed(keyId: number, name: string, rows: FeedRow[]): string {
  const items = rows.map(
    (row) => `
    <item>
      <title>${escapeXml(row.author_account)}</title>
      <link>${escapeXml(row.url ?? row.uri)}</link>
      <guid isPermaLink="false">${escapeXml(row.uri)}</guid>
      <pubDate>${row.delivered_at.toUTCString()}</pubDate>
      <description>${escapeXml(escapeXml(row.snippet))}</description>${row.hashtags
        .map((tag) => `\n      <category>${escapeXml(tag)}</category>`)
        .join("")}
    </item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>${escapeXml(titleOf(name))}</title>
    <link>${escapeXml(pageOf(keyId))}</link>
    <description>${escapeXml(titleOf(name))}</description>${items.join("")}
  </channel>
</rss>
`;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Without the characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
