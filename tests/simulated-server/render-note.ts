import type { SimAuthor, SimMedia, SimPost } from "./model.ts";
import { BLURHASH } from "./pictures.ts";
import { addressesOf, mediaAddresses } from "./render-status.ts";
import type { Json } from "./render-status.ts";

const VISIBILITY = { public: "public", unlisted: "home", private: "followers", direct: "specified" } as const;
const MIME = { image: "image/jpeg", gifv: "video/mp4", video: "video/mp4", audio: "audio/wav" } as const;

function mfm(post: SimPost): string | null {
  const [first, ...rest] = post.paragraphs;
  const mentions = post.mentions.map((one) => `@${one.username} `).join("");
  const parts = [first === undefined ? "" : `${mentions}**${first}**`, ...rest, post.link ?? ""];
  if (post.paragraphs.length > 0) parts.push(post.hashtags.map((tag) => `#${tag}`).join(" "));
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? null : text;
}

/** Misskey's `UserLite`, without the bio. */
export function renderUser(author: SimAuthor, origin: string): Json {
  return {
    id: author.id,
    name: author.display_name,
    username: author.username,
    host: author.host,
    avatarUrl: `${origin}/avatars/${author.id}.png`,
    isBot: author.bot,
  };
}

/** Misskey's `UserDetailed`, returned by `users/show`. */
export function renderProfile(author: SimAuthor, origin: string): Json {
  return {
    ...renderUser(author, origin),
    url: author.host === null ? null : `https://${author.host}/@${author.username}`,
    uri: author.host === null ? null : `https://${author.host}/users/${author.username}`,
    movedTo: author.moved ? `https://elsewhere.example/users/${author.username}` : null,
    description: author.bio === "" ? null : author.bio,
    fields: author.fields,
    isLocked: author.locked,
  };
}

export function renderNote(post: SimPost, origin: string): Json {
  const { uri, url } = addressesOf(post, { software: "misskey", origin });
  const local = post.author.host === null && post.origin === null;
  const target = post.boost_of ?? post.quote;
  const note: Json = {
    id: post.id,
    createdAt: post.created_at.toISOString(),
    updatedAt: post.edited_at?.toISOString(),
    userId: post.author.id,
    user: renderUser(post.author, origin),
    text: post.boost_of ? null : mfm(post),
    cw: post.spoiler === "" ? null : post.spoiler,
    visibility: VISIBILITY[post.visibility],
    localOnly: false,
    renoteCount: post.boosts,
    repliesCount: post.replies,
    reactionCount: post.likes,
    reactions: { "❤️": post.likes },
    tags: post.hashtags.map((tag) => tag.toLowerCase()),
    mentions: post.mentions.map((one) => one.id),
    fileIds: post.media.map((media) => media.id),
    files: post.boost_of ? [] : post.media.map((media) => renderFile(media, post, origin)),
    replyId: post.reply_to?.id ?? null,
    renoteId: target?.id ?? null,
    ...(target ? { renote: renderNote(target, origin) } : {}),
    ...(local ? {} : { uri, url }),
    ...(post.poll
      ? {
          poll: {
            choices: post.poll.options.map(({ title, votes }) => ({ text: title, votes })),
            multiple: post.poll.multiple,
            expiresAt: post.poll.expires_at.toISOString(),
          },
        }
      : {}),
  };
  return { ...note, ...post.raw };
}

function renderFile(media: SimMedia, post: SimPost, origin: string): Json {
  const { url, preview } = mediaAddresses(media, origin);
  const { picture } = media;
  return {
    id: media.id,
    type: picture && media.type === "image" ? `image/${picture.format}` : MIME[media.type],
    isSensitive: post.sensitive,
    blurhash: picture ? BLURHASH : null,
    properties: picture ? { width: picture.width, height: picture.height } : {},
    url,
    thumbnailUrl: preview,
    comment: media.alt,
  };
}
