import { makeId } from "./make-id.ts";
import type { SimAuthor, SimMedia, SimPost, Software } from "./model.ts";
import type { PictureFormat } from "./pictures.ts";
import type { Random } from "./random.ts";
import {
  CONTENT_WARNINGS,
  LANGUAGES,
  POLLS,
  THEMES,
  THEME_TAGS,
  writeAlt,
  writeLongText,
  writeText,
} from "./texts.ts";

/** Each occurs at least once in sixty posts. */
const SPECIAL_KINDS = [
  "pictures", "picture_without_alt", "content_warning", "poll", "reply", "card", "custom_emoji", "long", "copy",
  "quote", "picture_only", "sensitive", "video", "refuses_in_bio", "remote", "bot", "missing_fields", "boost",
  "audio", "gifv", "refuses_in_field", "noindex", "unlisted", "emoji_only", "mention", "silent_server", "private",
  "refuses_on_post", "group", "moved", "no_announce", "remote",
] as const; // prettier-ignore

export type PostKind = (typeof SPECIAL_KINDS)[number] | "text" | "picture";

const AUTHOR_OF: Partial<Record<PostKind, string>> = {
  refuses_in_bio: "quiet_ann",
  refuses_in_field: "field_finn",
  noindex: "unlisted_uwe",
  silent_server: "silent_sam",
  bot: "weather_bot",
  group: "cats_group",
  moved: "moved_mo",
};

export type PostMaker = (kind: PostKind, createdAt: Date, given?: Partial<SimPost>) => SimPost;

export interface PostMakerOptions {
  random: Random;
  people: readonly SimAuthor[];
  software: Software;
  hashtags: readonly string[];
  /** Newest last; for replies, quotes, boosts and copies. */
  posts: readonly SimPost[];
}

export function planKinds(random: Random, count: number): PostKind[] {
  return Array.from({ length: count }, (_, index) => {
    const special = index % 2 === 1 ? SPECIAL_KINDS[((index - 1) / 2) % SPECIAL_KINDS.length] : undefined;
    return special ?? (random.chance(0.6) ? "picture" : "text");
  });
}

export function postMaker(options: PostMakerOptions): PostMaker {
  const { people, software, hashtags, posts } = options;
  const ordinary = people.filter(
    (one) => one.host === null && !Object.values(AUTHOR_OF).includes(one.username),
  );
  /** A post of the last `count`. */
  const recent = (random: Random, count: number) => publicPosts().at(-random.between(1, count)) ?? null;
  const publicPosts = () =>
    posts.filter((one) => one.deleted === null && one.visibility === "public" && one.boost_of === null);
  const shapes: Partial<Record<PostKind, (post: SimPost, random: Random) => Partial<SimPost>>> = {
    picture: (post, random) => ({ media: [image(post, random)] }),
    pictures: (post, random) => ({
      media: Array.from({ length: random.between(2, 4) }, (_, index) => image(post, random, index)),
    }),
    picture_without_alt: (post, random) => ({ media: [{ ...image(post, random), alt: null }] }),
    picture_only: (post, random) => ({ media: [image(post, random)], paragraphs: [] }),
    copy: (post, random) => {
      const model = publicPosts().findLast((one) => one.media[0]?.picture && one.author !== post.author)
        ?.media[0];
      return { media: [model?.picture ? copyOf(model, post) : image(post, random)] };
    },
    sensitive: (post, random) => ({ sensitive: true, media: [image(post, random)] }),
    video: (post, random) => ({ media: [{ ...image(post, random), type: "video" }] }),
    gifv: (post, random) => ({ media: [{ ...image(post, random), type: "gifv" }] }),
    audio: ({ id }) => ({
      media: [{ id: `${id}-0`, type: "audio", picture: null, alt: "Two minutes of rain on a tin roof" }],
    }),
    content_warning: (post, random) => ({
      spoiler: random.pick(CONTENT_WARNINGS[post.language ?? "en"]),
      sensitive: true,
      media: random.chance(0.5) ? [image(post, random)] : [],
    }),
    poll: ({ created_at }, random) => ({
      poll: {
        options: random.pick(POLLS).map((title) => ({ title, votes: random.between(0, 60) })),
        multiple: random.chance(0.3),
        expires_at: new Date(created_at.getTime() + 86_400_000),
      },
    }),
    reply: (_post, random) => {
      const reply_to = recent(random, 6);
      return { reply_to, mentions: reply_to ? [reply_to.author] : [] };
    },
    quote: (_post, random) => ({ quote: recent(random, 9) }),
    boost: (_post, random) => ({ boost_of: recent(random, 9) }),
    card: ({ theme, author }) => ({
      link: `https://www.meadow-notes.example/${theme}/2026/a-long-walk-with-${author.username}-and-others?from=feed`,
      card: true,
    }),
    mention: (_post, random) => ({ mentions: random.sample(ordinary, 2) }),
    custom_emoji: ({ paragraphs }) => ({ paragraphs: [...paragraphs, ":ok: :wave: :ok:"] }),
    emoji_only: () => ({ paragraphs: ["🌅🐈‍⬛👩‍🌾🇺🇳"], language: null }),
    long: ({ language, hashtags: [first = ""] }, random) => ({
      paragraphs: writeLongText(random, language ?? "en"),
      hashtags: [first, ...random.sample(Object.values(THEME_TAGS).flat(), 11)],
    }),
    refuses_on_post: (post) => ({ hashtags: [...post.hashtags, "NoBot"] }),
    unlisted: () => ({ visibility: "unlisted" }),
    private: () => ({ visibility: "private" }),
    no_announce: () => ({ can_announce: false }),
    remote: (post, random) => ({
      author: random.pick(people.filter((one) => one.host !== null)),
      media: random.chance(0.7) ? [image(post, random)] : [],
    }),
    missing_fields: () => ({
      omitted: ["language", "spoiler_text", "media_attachments", "mentions", "emojis", "card", "poll", "edited_at", "sensitive", "replies_count"],
    }), // prettier-ignore
  };
  let seq = 0;

  return (kind, createdAt, given = {}) => {
    seq++;
    const random = options.random.fork(seq);
    const language = random.pick([...LANGUAGES, "en", "de", "en"] as const);
    const theme = random.pick(THEMES);
    const author = people.find((one) => one.username === AUTHOR_OF[kind]) ?? random.pick(ordinary);
    const post: SimPost = {
      seq,
      id: makeId(software, createdAt, seq),
      uuid: makeUuid(random),
      kind,
      author,
      created_at: createdAt,
      edited_at: null,
      language,
      theme,
      paragraphs: writeText(random, language, theme),
      hashtags: [random.pick(hashtags), ...random.sample(THEME_TAGS[theme], random.between(0, 3))],
      link: null,
      mentions: [],
      spoiler: "",
      sensitive: false,
      visibility: "public",
      media: [],
      poll: null,
      quote: null,
      reply_to: null,
      boost_of: null,
      card: false,
      boosts: Math.floor(random.next() ** 4 * 80),
      likes: Math.floor(random.next() ** 3 * 200),
      replies: Math.floor(random.next() ** 3 * 12),
      can_announce: null,
      omitted: [],
      deleted: null,
      origin: null,
      raw: {},
    };
    Object.assign(post, shapes[kind]?.(post, random));
    // Pixelfed posts nearly always have a picture.
    if (software === "pixelfed" && post.media.length === 0 && kind !== "text")
      post.media = [image(post, random)];
    return Object.assign(post, given);
  };
}

function image(post: SimPost, random: Random, index = 0): SimMedia {
  const [width, height] = random.pick([
    [1200, 800],
    [1200, 900],
    [900, 1200],
    [1080, 1080],
    [1600, 900],
  ] as const);
  const format = random.pick<PictureFormat>(["jpeg", "jpeg", "png", "webp"]);
  return {
    id: `${post.id}-${index}`,
    type: "image",
    picture: { seed: `${post.uuid}/${index}`, theme: post.theme, width, height, format, quality: 82 },
    alt: random.chance(0.75) ? writeAlt(random, post.theme) : null,
  };
}

/** The same picture, smaller, re-encoded at lower quality. */
function copyOf(model: SimMedia, post: SimPost): SimMedia {
  const picture = model.picture;
  return {
    ...model,
    id: `${post.id}-0`,
    alt: null,
    picture: picture && {
      ...picture,
      width: Math.round(picture.width / 2),
      height: Math.round(picture.height / 2),
      format: picture.format === "jpeg" ? "webp" : "jpeg",
      quality: 60,
    },
  };
}

function makeUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
