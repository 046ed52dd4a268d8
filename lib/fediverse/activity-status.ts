import { readObject, readObjects, readText, type JsonObject } from "./lenient.ts";

const MAX_LIST = 1_000;
const PUBLIC_ADDRESSES = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

/** Visibility in Mastodon's words. */
export function visibilityOf(object: JsonObject): "public" | "unlisted" | "private" {
  if (hasPublic(object["to"])) return "public";
  return hasPublic(object["cc"]) ? "unlisted" : "private";
}

/** Id of the author's ActivityPub object. */
export function authorOf(object: JsonObject): string | null {
  const ids = listOf(object["attributedTo"]).map((author) =>
    readText(readObject(author)?.["id"] ?? author, 4096),
  );
  return ids.find((id) => id !== "") ?? null;
}

/**
 * An ActivityPub post and its author as a status of Mastodon's API. Counts that the object does not state are 0.
 */
export function activityToStatus(object: JsonObject, actor: JsonObject): JsonObject {
  const tags = objectsOf(object["tag"]);
  return {
    id: object["id"],
    uri: object["id"],
    url: addressOf(object["url"]) ?? object["id"],
    created_at: object["published"],
    edited_at: object["updated"] ?? null,
    visibility: visibilityOf(object),
    content: textOf(object["content"], object["contentMap"]) || textOf(object["name"], object["nameMap"]),
    spoiler_text: textOf(object["summary"], object["summaryMap"]),
    sensitive: object["sensitive"] === true,
    language: Object.keys(readObject(object["contentMap"]) ?? {})[0] ?? null,
    in_reply_to_id: typeof object["inReplyTo"] === "string" ? object["inReplyTo"] : null,
    reblogs_count: readObject(object["shares"])?.["totalItems"] ?? 0,
    favourites_count: readObject(object["likes"])?.["totalItems"] ?? 0,
    replies_count: readObject(object["replies"])?.["totalItems"] ?? 0,
    tags: tags.filter((tag) => tag["type"] === "Hashtag").map((tag) => ({ name: tag["name"] })),
    mentions: tags.filter((tag) => tag["type"] === "Mention"),
    emojis: tags.filter((tag) => tag["type"] === "Emoji").map(emoji),
    media_attachments: listOf(object["attachment"]).flatMap(medium),
    account: account(actor),
    poll: pollOf(object),
    quote: quoteOf(object),
  };
}

/** The quote, by its address only (FEP-044f and older names), because the quoted post is another object. */
function quoteOf(object: JsonObject): JsonObject | null {
  const names = ["quote", "quoteUri", "quoteUrl", "_misskey_quote"];
  const uri = names.map((name) => addressOf(object[name])).find((address) => address !== null);
  return uri === undefined ? null : { uri };
}

/** The poll of a `Question`; null for other objects. */
function pollOf(object: JsonObject): JsonObject | null {
  const options = [object["oneOf"], object["anyOf"]].map(objectsOf).find((list) => list.length > 0);
  if (options === undefined) return null;
  const votes = options.map((option) => readObject(option["replies"])?.["totalItems"]);
  return {
    options: options.map((option, n) => ({ title: option["name"], votes_count: votes[n] })),
    multiple: objectsOf(object["anyOf"]).length > 0,
    expires_at: object["endTime"] ?? object["closed"],
    expired: Boolean(object["closed"]),
    votes_count: votes.reduce<number>((sum, n) => sum + (typeof n === "number" ? n : 0), 0),
    voters_count: object["votersCount"],
  };
}

function account(actor: JsonObject): JsonObject {
  const username = readText(actor["preferredUsername"], 255);
  return {
    id: actor["id"],
    username,
    acct: username,
    url: addressOf(actor["url"]) ?? actor["id"],
    display_name: actor["name"],
    note: textOf(actor["summary"], actor["summaryMap"]),
    fields: objectsOf(actor["attachment"]).filter((field) => field["type"] === "PropertyValue"),
    avatar: addressOf(readObject(actor["icon"])?.["url"]),
    bot: actor["type"] === "Service" || actor["type"] === "Application",
    group: actor["type"] === "Group",
    locked: actor["manuallyApprovesFollowers"] === true,
    created_at: actor["published"],
    discoverable: actor["discoverable"],
    indexable: actor["indexable"],
    memorial: actor["memorial"] === true,
    suspended: actor["suspended"] === true,
    moved: actor["movedTo"] ?? null,
    emojis: objectsOf(actor["tag"])
      .filter((tag) => tag["type"] === "Emoji")
      .map(emoji),
  };
}

function emoji(tag: JsonObject): JsonObject {
  const url = addressOf(readObject(tag["icon"])?.["url"]);
  return { shortcode: readText(tag["name"], 200).replace(/^:|:$/g, ""), url, static_url: url };
}

function medium(value: unknown): JsonObject[] {
  const found = readObject(value);
  // A link object, as of Lemmy, has only `href`.
  const url = addressOf(found?.["url"]);
  if (found === null || url === null) return [];
  const kind = readText(found["mediaType"], 100).split("/")[0] ?? "";
  const isImage = kind === "image" || found["type"] === "Image";
  return [
    {
      id: url,
      type: isImage ? "image" : kind === "video" || kind === "audio" ? kind : "unknown",
      url,
      preview_url: isImage ? url : null,
      description: typeof found["name"] === "string" ? found["name"] : null,
      blurhash: found["blurhash"] ?? null,
      meta: { original: { width: found["width"], height: found["height"] } },
    },
  ];
}

function hasPublic(value: unknown): boolean {
  return listOf(value).some((address) => typeof address === "string" && PUBLIC_ADDRESSES.has(address));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value)
    ? value.slice(0, MAX_LIST)
    : value === undefined || value === null
      ? []
      : [value];
}

const objectsOf = (value: unknown) => readObjects(listOf(value), MAX_LIST);

/** The address of a text, a link object or a list. Of a list the first HTML page, otherwise the first item. */
function addressOf(value: unknown): string | null {
  const links = listOf(value);
  const html = links.find((link) => readObject(link)?.["mediaType"] === "text/html");
  const hrefs = [html, ...links].map((link) => readText(readObject(link)?.["href"] ?? link, 4096));
  return hrefs.find((href) => href !== "") ?? null;
}

function textOf(value: unknown, byLanguage: unknown): string {
  if (typeof value === "string") return value;
  const first = Object.values(readObject(byLanguage) ?? {})[0];
  return typeof first === "string" ? first : "";
}
