import type { SimAuthor, SimMedia, SimPost, Software } from "./model.ts";
import { BLURHASH } from "./pictures.ts";

export interface RenderContext {
  software: Software;
  origin: string;
}

export type Json = Record<string, unknown>;

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** URI and page URL in the software's format. */
export function addressesOf(
  post: SimPost,
  { software, origin }: RenderContext,
): { uri: string; url: string } {
  if (post.origin) return post.origin;
  const name = post.author.username;
  if (post.author.host !== null) {
    const home = `https://${post.author.host}`;
    return { uri: `${home}/users/${name}/statuses/${post.id}`, url: `${home}/@${name}/${post.id}` };
  }
  switch (software) {
    case "mastodon":
    case "gotosocial": {
      const page = software === "mastodon" ? post.id : `statuses/${post.id}`;
      return { uri: `${origin}/users/${name}/statuses/${post.id}`, url: `${origin}/@${name}/${page}` };
    }
    case "pleroma":
      return { uri: `${origin}/objects/${post.uuid}`, url: `${origin}/notice/${post.id}` };
    case "pixelfed":
    case "misskey": {
      const address = `${origin}/${software === "misskey" ? "notes" : `p/${name}`}/${post.id}`;
      return { uri: address, url: address };
    }
  }
}

/** `alice`, or `alice@host` for another server. */
export function acctOf(author: SimAuthor): string {
  return author.host === null ? author.username : `${author.username}@${author.host}`;
}

export function profileUrl(author: SimAuthor, origin: string): string {
  return author.host === null
    ? `${origin}/@${author.username}`
    : `https://${author.host}/@${author.username}`;
}

function tagLink(tag: string, { software, origin }: RenderContext): string {
  const name = encodeURIComponent(tag.toLowerCase());
  if (software === "pleroma") {
    return `<a class="hashtag" data-tag="${escapeHtml(tag.toLowerCase())}" href="${origin}/tag/${name}">#${escapeHtml(tag)}</a>`;
  }
  if (software === "pixelfed") {
    return `<a href="${origin}/discover/tags/${name}?src=hash" title="#${escapeHtml(tag)}" class="u-url hashtag" rel="external nofollow noopener">#${escapeHtml(tag)}</a>`;
  }
  return `<a href="${origin}/tags/${name}" class="mention hashtag" rel="tag">#<span>${escapeHtml(tag)}</span></a>`;
}

/** A link as Mastodon shortens it: scheme hidden, thirty characters, rest hidden. */
function shortLink(address: string): string {
  const bare = address.replace(/^https?:\/\/(?:www\.)?/, "");
  const hidden = address.slice(0, address.length - bare.length);
  const cut = bare.length > 30;
  return `<a href="${escapeHtml(address)}" target="_blank" rel="nofollow noopener" translate="no"><span class="invisible">${hidden}</span><span class="${cut ? "ellipsis" : ""}">${escapeHtml(bare.slice(0, 30))}</span><span class="invisible">${escapeHtml(bare.slice(30))}</span></a>`;
}

export function contentHtml(post: SimPost, context: RenderContext): string {
  const mentions = post.mentions.map(
    (one) =>
      `<span class="h-card" translate="no"><a href="${profileUrl(one, context.origin)}" class="u-url mention">@<span>${one.username}</span></a></span>`,
  );
  const blocks = post.paragraphs.map(escapeHtml);
  if (mentions.length > 0) blocks[0] = [...mentions, blocks[0] ?? ""].join(" ");
  if (post.link) blocks.push(shortLink(post.link));
  const tags = post.hashtags.map((tag) => tagLink(tag, context)).join(" ");
  if (tags !== "" && (post.paragraphs.length > 0 || post.link)) blocks.push(tags);
  if (context.software === "pleroma") return blocks.join("<br/><br/>");
  if (context.software === "pixelfed") return blocks.join("<br />\n");
  return blocks.map((block) => `<p>${block}</p>`).join("");
}

export function bioHtml(bio: string, context: RenderContext): string {
  if (bio === "") return "";
  return bio
    .split("\n")
    .map((line) => `<p>${linkTags(escapeHtml(line), context)}</p>`)
    .join("");
}

function linkTags(text: string, context: RenderContext): string {
  return text.replace(/#([\p{L}\p{N}_]+)/gu, (_whole, tag: string) => tagLink(tag, context));
}

export function renderAccount(author: SimAuthor, context: RenderContext): Json {
  const { origin } = context;
  const avatar = `${origin}/avatars/${author.id}.png`;
  return {
    id: author.id,
    username: author.username,
    acct: acctOf(author),
    display_name: author.display_name,
    locked: author.locked,
    bot: author.bot,
    group: author.group,
    noindex: author.noindex,
    indexable: author.indexable,
    discoverable: author.discoverable,
    created_at: author.created_at.toISOString(),
    note: bioHtml(author.bio, context),
    url: profileUrl(author, origin),
    uri:
      author.host === null
        ? `${origin}/users/${author.username}`
        : `https://${author.host}/users/${author.username}`,
    avatar,
    avatar_static: avatar,
    emojis: emojisIn(author.display_name, origin),
    fields: author.fields.map(({ name, value }) => ({ name, value: linkTags(escapeHtml(value), context) })),
    ...(author.moved
      ? { moved: { id: "9999", username: author.username, acct: `${author.username}@elsewhere.example` } }
      : {}),
  };
}

function emojisIn(text: string, origin: string): Json[] {
  const names = new Set(Array.from(text.matchAll(/:([a-z_]+):/g), (match) => match[1] ?? ""));
  return [...names].map((name) => {
    const url = `${origin}/emoji/${name}.png`;
    return { shortcode: name, url, static_url: url, visible_in_picker: true };
  });
}

/** `small` is the preview or a video's poster. */
export function mediaAddresses(media: SimMedia, origin: string): { url: string; preview: string | null } {
  const extension = { image: media.picture?.format ?? "jpeg", gifv: "mp4", video: "mp4", audio: "wav" }[
    media.type
  ];
  const folder = `${origin}/media/${encodeURIComponent(media.id)}`;
  return {
    url: `${folder}/original.${extension === "jpeg" ? "jpg" : extension}`,
    preview: media.picture ? `${folder}/small.jpg` : null,
  };
}

function renderMedia(media: SimMedia, origin: string): Json {
  const { url, preview } = mediaAddresses(media, origin);
  const { picture } = media;
  return {
    id: media.id,
    type: media.type,
    url,
    preview_url: preview,
    meta: picture ? { original: { width: picture.width, height: picture.height } } : {},
    description: media.alt,
    blurhash: picture ? BLURHASH : null,
  };
}

export function renderStatus(post: SimPost, context: RenderContext): Json {
  const { origin, software } = context;
  const { uri, url } = addressesOf(post, context);
  const boost = post.boost_of;
  const status: Json = {
    id: post.id,
    uri,
    url,
    created_at: post.created_at.toISOString(),
    edited_at: post.edited_at?.toISOString() ?? null,
    in_reply_to_id: post.reply_to?.id ?? null,
    in_reply_to_account_id: post.reply_to?.author.id ?? null,
    sensitive: post.sensitive,
    spoiler_text: post.spoiler,
    visibility: post.visibility,
    language: post.language,
    content: boost ? contentHtml(boost, context) : contentHtml(post, context),
    reblog: boost ? renderStatus(boost, context) : null,
    account: renderAccount(post.author, context),
    media_attachments: post.media.map((media) => renderMedia(media, origin)),
    mentions: post.mentions.map((one) => ({ acct: acctOf(one), url: profileUrl(one, origin) })),
    tags: post.hashtags.map((tag) => ({ name: tag.toLowerCase() })),
    emojis: emojisIn(post.paragraphs.join(" "), origin),
    reblogs_count: post.boosts,
    favourites_count: post.likes,
    replies_count: post.replies,
    card: post.card && post.link ? renderCard(post, post.link, origin) : null,
    poll: post.poll && {
      id: post.id,
      expires_at: post.poll.expires_at.toISOString(),
      expired: false,
      multiple: post.poll.multiple,
      votes_count: post.poll.options.reduce((sum, option) => sum + option.votes, 0),
      // Mastodon sends it only for multiple choice.
      voters_count: post.poll.multiple ? Math.max(...post.poll.options.map((option) => option.votes)) : null,
      options: post.poll.options.map((option) => ({ title: option.title, votes_count: option.votes })),
    },
    ...(software === "mastodon"
      ? {
          quote: post.quote && { state: "accepted", quoted_status: renderStatus(post.quote, context) },
          quote_approval: { automatic: ["public"], manual: [], current_user: "unknown" },
        }
      : {}),
    ...(software === "gotosocial" ? { interaction_policy: interactionPolicy(post) } : {}),
    ...(software === "pleroma" && post.quote
      ? { quote: renderStatus(post.quote, context), pleroma: { local: post.author.host === null } }
      : {}),
  };
  for (const key of post.omitted) delete status[key];
  return { ...status, ...post.raw };
}

function renderCard(post: SimPost, link: string, origin: string): Json {
  return {
    url: link,
    title: "A long walk, and what grew beside it",
    description: "Notes from a meadow, with a map and three recipes.",
    type: "link",
    provider_name: "Meadow Notes",
    image: `${origin}/media/${encodeURIComponent(`${post.id}-card`)}/small.jpg`,
  };
}

function interactionPolicy(post: SimPost): Json {
  const everybody = { automatic_approval: ["public", "me"], manual_approval: [] };
  const nobody = { automatic_approval: ["author", "me"], manual_approval: ["public"] };
  return {
    can_favourite: everybody,
    can_reply: everybody,
    can_reblog: post.can_announce === false ? nobody : everybody,
  };
}
