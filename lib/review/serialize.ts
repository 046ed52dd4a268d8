import { upsettingCategories } from "#lib/checks/results/raw-checks.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { heldBy } from "#lib/queue/holds.ts";
import type { PostRow } from "./post-row.ts";
import { type Media, type Post, PostCard } from "./post-schema.ts";

type Json = Record<string, unknown>;

const times = Object.keys(PostCard.shape).filter((name) => name.endsWith("_at"));

/** Turns a row into the post of the API, in place: copying its sixty fields would take a good part of the time of a list. */
export function serializePost(row: PostRow): Post {
  const { poll, held_by: holds, vision_category: category } = row;
  const media_attachments = mediaOf(row.media_attachments);
  const titles = listOf(poll?.options).map(({ title }) => textOrNull(title));
  const isUpsetting = (upsettingCategories as readonly (string | null)[]).includes(category);
  const fields: Record<string, unknown> = Object.assign(row, {
    // The user name without a host, also where a server wrote `user@host` into it.
    author_username: row.author_username.replace(/^@/, "").split("@")[0] || row.author_username,
    instance: /^@?[^@]+@(.+)$/.exec(row.author_account)?.[1] ?? row.instance,
    media_attachments,
    media_covered:
      media_attachments.length > 0 &&
      (row.sensitive || row.spoiler_text !== null || row.media_covered || isUpsetting),
    // Nothing holds a delivered post any more. A reserved one is held when it comes back.
    held_by: holds === null || row.queue_status === "delivered" ? null : heldBy({ holds }),
    emojis: pickEmojis(row.emojis, [row.author_display_name, row.content, row.spoiler_text, ...titles]),
  });
  for (const name of times) if (fields[name] instanceof Date) fields[name] = fields[name].toISOString();
  return row as unknown as Post;
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
