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

export interface PostMaker {
  make(kind: PostKind, createdAt: Date, given?: Partial<SimPost>): SimPost;
}

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
  let seq = 0;

  function make(kind: PostKind, createdAt: Date, given: Partial<SimPost> = {}): SimPost {
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
    shape(post, kind, random);
    // Pixelfed posts nearly always have a picture.
    if (software === "pixelfed" && post.media.length === 0 && kind !== "text")
      post.media = [image(post, random, 0)];
    return Object.assign(post, given);
  }

  function shape(post: SimPost, kind: PostKind, random: Random): void {
    const earlier = posts.filter(
      (one) => one.deleted === null && one.visibility === "public" && one.boost_of === null,
    );
    switch (kind) {
      case "picture":
        post.media = [image(post, random, 0)];
        break;
      case "pictures":
        post.media = Array.from({ length: random.between(2, 4) }, (_, index) => image(post, random, index));
        break;
      case "picture_without_alt":
        post.media = [{ ...image(post, random, 0), alt: null }];
        break;
      case "picture_only":
        post.media = [image(post, random, 0)];
        post.paragraphs = [];
        break;
      case "copy": {
        const model = earlier.findLast((one) => one.media[0]?.picture && one.author !== post.author)
          ?.media[0];
        post.media = [model?.picture ? copyOf(model, post) : image(post, random, 0)];
        break;
      }
      case "sensitive":
        post.sensitive = true;
        post.media = [image(post, random, 0)];
        break;
      case "video":
      case "gifv":
        post.media = [{ ...image(post, random, 0), type: kind }];
        break;
      case "audio":
        post.media = [
          { id: `${post.id}-0`, type: "audio", picture: null, alt: "Two minutes of rain on a tin roof" },
        ];
        break;
      case "content_warning":
        post.spoiler = random.pick(CONTENT_WARNINGS[post.language ?? "en"]);
        post.sensitive = true;
        if (random.chance(0.5)) post.media = [image(post, random, 0)];
        break;
      case "poll":
        post.poll = {
          options: random.pick(POLLS).map((title) => ({ title, votes: random.between(0, 60) })),
          multiple: random.chance(0.3),
          expires_at: new Date(post.created_at.getTime() + 86_400_000),
        };
        break;
      case "reply":
        post.reply_to = earlier.at(-1 - random.between(0, 5)) ?? null;
        if (post.reply_to) post.mentions = [post.reply_to.author];
        break;
      case "quote":
        post.quote = earlier.at(-1 - random.between(0, 8)) ?? null;
        break;
      case "boost":
        post.boost_of = earlier.at(-1 - random.between(0, 8)) ?? null;
        break;
      case "card":
        post.link = `https://www.meadow-notes.example/${post.theme}/2026/a-long-walk-with-${post.author.username}-and-others?from=feed`;
        post.card = true;
        break;
      case "mention":
        post.mentions = random.sample(ordinary, 2);
        break;
      case "custom_emoji":
        post.paragraphs.push(":ok: :wave: :ok:");
        break;
      case "emoji_only":
        post.paragraphs = ["🌅🐈‍⬛👩‍🌾🇺🇳"];
        post.language = null;
        break;
      case "long":
        post.paragraphs = writeLongText(random, post.language ?? "en");
        post.hashtags = [post.hashtags[0] ?? "", ...random.sample(Object.values(THEME_TAGS).flat(), 11)];
        break;
      case "refuses_on_post":
        post.hashtags.push("NoBot");
        break;
      case "unlisted":
      case "private":
        post.visibility = kind;
        break;
      case "no_announce":
        post.can_announce = false;
        break;
      case "remote":
        post.author = random.pick(people.filter((one) => one.host !== null));
        post.media = random.chance(0.7) ? [image(post, random, 0)] : [];
        break;
      case "missing_fields":
        post.omitted = ["language", "spoiler_text", "media_attachments", "mentions", "emojis", "card", "poll", "edited_at", "sensitive", "replies_count"]; // prettier-ignore
        break;
      default:
        break;
    }
  }

  return { make };
}

function image(post: SimPost, random: Random, index: number): SimMedia {
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
