import { isoTimes } from "#lib/base/clock.ts";
import { upsettingCategories } from "#lib/checks/results/raw-checks.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { heldBy } from "#lib/queue/holds.ts";
import type { PostRow } from "./post-row.ts";
import type { Media, Post, PostCard } from "./post-schema.ts";

type Json = Record<string, unknown>;

/** A post as the API shows it. */
export function serializePost(row: PostRow): Post {
  const { author_locked: _1, author_created_at: _2, quote: _3, card: _4, ...post } = serializeCard(row);
  return post;
}

/** The same with the fields that only a review card and the detail page show. */
export function serializeCard({
  author_key: _,
  media,
  holds,
  picture_explicit: isExplicit,
  ...row
}: PostRow): PostCard {
  const media_attachments = mediaOf(media);
  const { poll, vision_category: category } = row;
  const titles = listOf(poll?.options).map(({ title }) => textOrNull(title));
  const isUpsetting = (upsettingCategories as readonly (string | null)[]).includes(category);
  return {
    ...isoTimes(row),
    // The user name without a host, also where a server wrote `user@host` into it.
    author_username: row.author_username.replace(/^@/, "").split("@")[0] || row.author_username,
    instance: /^@?[^@]+@(.+)$/.exec(row.author_account)?.[1] ?? row.instance,
    media_attachments,
    media_covered:
      media_attachments.length > 0 &&
      (row.sensitive || row.spoiler_text !== null || isExplicit || isUpsetting),
    // A delivered post was handed out; nothing holds it any more. A reserved one is held when it comes back.
    held_by: holds === null || row.queue_status === "delivered" ? null : heldBy({ holds }),
    emojis: pickEmojis(row.emojis, [row.author_display_name, row.content, row.spoiler_text, ...titles]),
  };
}

function mediaOf(media: unknown): Media[] {
  return listOf(media).map((medium) => ({
    type: textOrNull(medium.type) ?? "unknown",
    url: textOrNull(medium.url) ?? "",
    preview_url: textOrNull(medium.preview_url),
    description: textOrNull(medium.description),
    blurhash: textOrNull(medium.blurhash),
    width: wholeOrNull(medium.width),
    height: wholeOrNull(medium.height),
  }));
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function wholeOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : null;
}
