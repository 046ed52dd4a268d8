import type {
  MediaType,
  NormalisedApproval,
  NormalisedCard,
  NormalisedEmoji,
  NormalisedMedia,
  NormalisedPoll,
} from "./normalised-post.ts";
import {
  readCount,
  readFlag,
  readFutureMoment,
  readList,
  readObject,
  readOptionalText,
  readPixels,
  readText,
  readWebUrl,
} from "./read-value.ts";

const MAX_MEDIA = 32;
const MEDIA_TYPES: readonly MediaType[] = ["image", "gifv", "video", "audio"];
const BLURHASH = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,100}$/;

/** Attachments without an address are skipped. */
export function normaliseMedia(value: unknown): NormalisedMedia[] {
  return readList(value, MAX_MEDIA).flatMap((item) => {
    const media = readObject(item);
    if (media === null) return [];
    const preview = readWebUrl(media["preview_url"]);
    const url = readWebUrl(media["url"]) ?? readWebUrl(media["remote_url"]) ?? preview;
    if (url === null) return [];
    const meta = readObject(media["meta"]);
    const size = readObject(meta?.["original"]) ?? meta ?? {};
    const blurhash = readText(media["blurhash"], 100);
    return [
      {
        type: mediaType(media["type"]),
        url,
        preview_url: preview,
        description: readOptionalText(media["description"], 10_000),
        blurhash: BLURHASH.test(blurhash) ? blurhash : null,
        width: readPixels(size["width"]),
        height: readPixels(size["height"]),
      },
    ];
  });
}

/** Some servers send a MIME type instead of Mastodon's words. */
function mediaType(value: unknown): MediaType {
  const word = readText(value, 100).toLowerCase().split("/")[0];
  return MEDIA_TYPES.find((type) => type === word) ?? "unknown";
}

export function normalisePoll(value: unknown): NormalisedPoll | null {
  const poll = readObject(value);
  if (poll === null) return null;
  const options = readList(poll["options"], 50).flatMap((item) => {
    const option = readObject(item);
    if (option === null) return [];
    const votes = typeof option["votes_count"] === "number" ? readCount(option["votes_count"]) : null;
    return [{ title: readText(option["title"], 500), votes }];
  });
  if (options.length === 0) return null;
  return {
    options,
    multiple: readFlag(poll["multiple"]),
    expires_at: readFutureMoment(poll["expires_at"]),
    expired: readFlag(poll["expired"]),
    votes: readCount(poll["votes_count"]),
    voters: typeof poll["voters_count"] === "number" ? readCount(poll["voters_count"]) : null,
  };
}

export function normaliseCard(value: unknown): NormalisedCard | null {
  const card = readObject(value);
  const url = readWebUrl(card?.["url"]);
  if (card === null || url === null) return null;
  return {
    url,
    title: readText(card["title"], 500),
    description: readText(card["description"], 2_000),
    type: readOptionalText(card["type"], 20) ?? "link",
    provider_name: readText(card["provider_name"], 200),
    image: readWebUrl(card["image"]),
  };
}

export function normaliseEmojis(value: unknown): NormalisedEmoji[] {
  return readList(value, 100).flatMap((item) => {
    const emoji = readObject(item);
    const shortcode = readOptionalText(emoji?.["shortcode"], 100);
    const url = readWebUrl(emoji?.["static_url"]) ?? readWebUrl(emoji?.["url"]);
    return shortcode === null || url === null ? [] : [{ shortcode, url }];
  });
}

export function normaliseApproval(value: unknown): NormalisedApproval | null {
  const approval = readObject(value);
  if (approval === null) return null;
  return { automatic: readWords(approval["automatic"]), manual: readWords(approval["manual"]) };
}

export function readWords(value: unknown): string[] {
  return readList(value, 50).flatMap((word) => readOptionalText(word, 2_048) ?? []);
}

/** Manual approval does not count. GoToSocial before 0.20 sends `always` instead of `automatic_approval`. */
export function readCanAnnounce(status: Readonly<Record<string, unknown>>): boolean | null {
  const policy = readObject(status["interaction_policy"]);
  const rule = readObject(policy?.["can_reblog"]) ?? readObject(policy?.["can_announce"]);
  if (rule === null) return null;
  const lists = [rule["automatic_approval"], rule["always"]].filter((list) => Array.isArray(list));
  if (lists.length === 0) return null;
  return lists.some((list) => readWords(list).includes("public"));
}
