import { mfmPageBudget, mfmToHtml, withNoteBudget, type MfmBudget } from "./mfm-to-html.ts";
import { readCount, readId, readObject, readObjects, readText } from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";

/** `home` corresponds to unlisted. */
const VISIBILITIES: Readonly<Record<string, string>> = {
  public: "public",
  home: "unlisted",
  followers: "private",
  specified: "direct",
};

/**
 * `normaliseStatus` checks the result.
 *
 * @param profile from `users/show`; the note's own user has no bio
 * @param origin in the addresses of the server that was asked
 * @param page shared by the notes of a page
 */
export function misskeyNoteToStatus(
  note: JsonObject,
  profile: JsonObject | null,
  origin: string,
  page: MfmBudget = mfmPageBudget(),
): JsonObject {
  return withNoteBudget(page, (budget) => noteToStatus(note, profile, origin, budget));
}

function noteToStatus(
  note: JsonObject,
  profile: JsonObject | null,
  origin: string,
  budget: MfmBudget,
): JsonObject {
  const id = readId(note["id"]);
  const ownUrl = id === null ? null : `${origin}/notes/${encodeURIComponent(id)}`;
  const uri = note["uri"] ?? ownUrl;
  const user = readObject(note["user"]);
  const text = readText(note["text"], 50_000);
  const files = readObjects(note["files"], 32);
  const poll = readObject(note["poll"]);
  const isBoost = note["renoteId"] != null && text === "" && files.length === 0 && poll === null;
  return {
    id,
    uri,
    url: note["url"] ?? (note["uri"] == null ? ownUrl : note["uri"]),
    created_at: note["createdAt"],
    edited_at: note["updatedAt"] ?? null,
    visibility: visibilityOf(note, user),
    sensitive: files.some((file) => file["isSensitive"] === true),
    spoiler_text: note["cw"],
    language: note["lang"],
    content: mfmToHtml(text, { origin: originOf(user, origin), budget }),
    account: user === null ? null : misskeyUserToAccount(user, profile, origin, budget),
    media_attachments: files.map(misskeyFileToMedia),
    tags: Array.isArray(note["tags"]) ? note["tags"] : null,
    mentions: note["mentions"],
    emojis: misskeyEmojis(note["emojis"]),
    poll: poll === null ? null : misskeyPoll(poll),
    in_reply_to_id: note["replyId"],
    in_reply_to_account_id: readObject(note["reply"])?.["userId"],
    reblog: isBoost ? { id: note["renoteId"] } : null,
    quote: isBoost ? null : quoteOf(note, origin, budget),
    reblogs_count: note["renoteCount"],
    favourites_count: reactionCount(note),
    replies_count: note["repliesCount"],
  };
}

/**
 * A `public` note may be hidden from anonymous readers (`isHidden`), or require a login that our token must
 * not bypass.
 */
function visibilityOf(note: JsonObject, user: JsonObject | null): string {
  if (note["localOnly"] === true) return "local";
  if (note["isHidden"] === true || user?.["requireSigninToViewContents"] === true) return "hidden";
  return VISIBILITIES[readText(note["visibility"], 20)] ?? "unknown";
}

/** Sharkey: `noindex` in the note; Misskey: `noCrawle` in the profile. */
function noindexOf(user: JsonObject, profile: JsonObject | null): boolean | null {
  const said = [user["noindex"], profile?.["noindex"], profile?.["noCrawle"]].filter(
    (value) => typeof value === "boolean",
  );
  return said.length === 0 ? null : said.includes(true);
}

function originOf(user: JsonObject | null, origin: string): string {
  const host = readText(user?.["host"], 300);
  return host === "" || !URL.canParse(`https://${host}`) ? origin : new URL(`https://${host}`).origin;
}

function accountName(user: JsonObject): string {
  const username = readText(user["username"], 300);
  const host = readText(user["host"], 300);
  return host === "" ? username : `${username}@${host}`;
}

function misskeyUserToAccount(
  user: JsonObject,
  profile: JsonObject | null,
  origin: string,
  budget: MfmBudget,
): JsonObject {
  const username = readText(user["username"], 300);
  const host = readText(user["host"], 300);
  const mfm = { origin: originOf(user, origin), budget };
  return {
    id: user["id"],
    acct: accountName(user),
    display_name: user["name"],
    url:
      profile?.["url"] ??
      profile?.["uri"] ??
      (host === "" ? `${origin}/@${encodeURIComponent(username)}` : null),
    avatar: user["avatarUrl"],
    bot: user["isBot"],
    noindex: noindexOf(user, profile),
    emojis: misskeyEmojis(user["emojis"]),
    ...(profile === null
      ? {}
      : {
          note: mfmToHtml(readText(profile["description"], 20_000), mfm),
          fields: readObjects(profile["fields"], 32).map((field) => ({
            name: readText(field["name"], 1_000),
            value: mfmToHtml(readText(field["value"], 5_000), mfm),
          })),
          created_at: profile["createdAt"],
          locked: profile["isLocked"],
          suspended: profile["isSuspended"],
          limited: profile["isSilenced"] === true || profile["isLimited"] === true,
          moved: profile["movedTo"],
          discoverable: profile["isExplorable"],
        }),
  };
}

function misskeyFileToMedia(file: JsonObject): JsonObject {
  return {
    type: file["type"],
    url: file["url"],
    preview_url: file["thumbnailUrl"],
    description: file["comment"],
    blurhash: file["blurhash"],
    meta: { original: file["properties"] },
  };
}

/** `{name: address}`; older servers send a list of `{name, url}`. */
function misskeyEmojis(value: unknown): JsonObject[] {
  if (Array.isArray(value)) {
    return readObjects(value, 100).map((emoji) => ({ shortcode: emoji["name"], url: emoji["url"] }));
  }
  return Object.entries(readObject(value) ?? {}).map(([shortcode, url]) => ({ shortcode, url }));
}

function misskeyPoll(poll: JsonObject): JsonObject {
  const choices = readObjects(poll["choices"], 50);
  const end = Date.parse(readText(poll["expiresAt"], 64));
  return {
    options: choices.map((choice) => ({ title: choice["text"], votes_count: choice["votes"] })),
    multiple: poll["multiple"],
    expires_at: poll["expiresAt"],
    expired: Number.isFinite(end) && end < Date.now(),
    votes_count: choices.reduce((sum, choice) => sum + readCount(choice["votes"]), 0),
  };
}

function quoteOf(note: JsonObject, origin: string, budget: MfmBudget): JsonObject | null {
  const renote = readObject(note["renote"]);
  if (renote === null) return null;
  const user = readObject(renote["user"]);
  const id = readId(renote["id"]);
  const uri = renote["uri"] ?? (id === null ? null : `${origin}/notes/${encodeURIComponent(id)}`);
  return {
    uri,
    url: renote["url"] ?? uri,
    content: mfmToHtml(readText(renote["text"], 10_000), { origin: originOf(user, origin), budget }),
    tags: Array.isArray(renote["tags"]) ? renote["tags"] : null,
    account: user === null ? null : misskeyUserToAccount(user, null, origin, budget),
  };
}

function reactionCount(note: JsonObject): number {
  if (typeof note["reactionCount"] === "number") return note["reactionCount"];
  return Object.values(readObject(note["reactions"]) ?? {}).reduce<number>(
    (sum, count) => sum + readCount(count),
    0,
  );
}
