import { z } from "zod";
import {
  count,
  flag,
  id,
  list,
  optional,
  optionalCount,
  readObject,
  readObjects,
  text,
  tristate,
  type JsonObject,
} from "./lenient.ts";
import { pageBudget, withinBudget, type Budget } from "./budget.ts";
import { MAX_NOTE_LENGTH, mfmToHtml } from "./mfm-to-html.ts";

const tags = z.array(z.unknown()).nullable().catch(null);

/** `{name: address}`; older servers send a list of `{name, url}`. */
const emojis = z.transform((given) =>
  Array.isArray(given)
    ? readObjects(given, 100).map((emoji) => ({ shortcode: emoji["name"], url: emoji["url"] }))
    : Object.entries(readObject(given) ?? {}).map(([shortcode, url]) => ({ shortcode, url })),
);

const User = z.looseObject({
  id,
  username: text(300),
  /** Null or empty for a user of the server itself. */
  host: text(300),
  /** Sharkey only. */
  noindex: tristate,
  requireSigninToViewContents: flag,
  emojis,
});

const content = {
  id,
  user: optional(User),
  tags,
};

/** A note. Fields that are not named are checked as parts of the status. */
export const MisskeyNote = z.looseObject({
  ...content,
  text: text(50_000),
  /** `home` corresponds to unlisted. */
  visibility: z.enum(["public", "home", "followers", "specified"]).catch("specified"),
  localOnly: flag,
  /** A `public` note may be hidden from anonymous readers. */
  isHidden: flag,
  files: list(z.looseObject({ isSensitive: flag }), 32),
  emojis,
  poll: optional(
    z.looseObject({
      choices: list(z.looseObject({ votes: optionalCount }), 50),
      expiresAt: text(64),
    }),
  ),
  reply: optional(z.looseObject({})),
  renote: optional(z.looseObject({ ...content, text: text(10_000) })),
  reactionCount: optionalCount,
  reactions: optional(z.record(z.string(), count)),
});
export type MisskeyNote = z.output<typeof MisskeyNote>;

/** A profile of `users/show`. The user inside a note has no bio. */
export const MisskeyProfile = z.looseObject({
  id,
  description: text(20_000),
  fields: list(z.object({ name: text(1_000), value: text(5_000) }), 32),
  isSilenced: flag,
  isLimited: flag,
  noindex: tristate,
  noCrawle: tristate,
});
export type MisskeyProfile = z.output<typeof MisskeyProfile>;

/**
 * Converts a note to the shape of Mastodon's API. `normaliseStatus` checks the result.
 *
 * @param origin in the addresses of the server that was asked
 * @param page shared by the notes of a page
 */
export function misskeyNoteToStatus(
  note: MisskeyNote,
  profile: MisskeyProfile | null,
  origin: string,
  page: Budget = pageBudget(MAX_NOTE_LENGTH),
) {
  return withinBudget(page, MAX_NOTE_LENGTH, (budget) => {
    const { files, poll, user, reactions } = note;
    const addresses = addressesOf(note, origin);
    const isBoost = note["renoteId"] != null && note.text === "" && files.length === 0 && poll === null;
    return {
      id: note.id,
      ...addresses,
      created_at: note["createdAt"],
      edited_at: note["updatedAt"],
      visibility: visibilityOf(note),
      sensitive: files.some((file) => file.isSensitive),
      spoiler_text: note["cw"],
      language: note["lang"],
      content: mfmToHtml(note.text, { origin: originOf(user, origin), budget }),
      account: user && accountOf(user, profile, origin, budget),
      media_attachments: files.map((file) => ({
        ...file,
        preview_url: file["thumbnailUrl"],
        description: file["comment"],
        meta: { original: file["properties"] },
      })),
      tags: note.tags,
      emojis: note.emojis,
      poll: poll && {
        options: poll.choices.map((choice) => ({ title: choice["text"], votes_count: choice.votes })),
        multiple: poll["multiple"],
        expires_at: poll.expiresAt,
        expired: Date.parse(poll.expiresAt) < Date.now(),
        votes_count: poll.choices.reduce((sum, { votes }) => sum + (votes ?? 0), 0),
      },
      in_reply_to_id: note["replyId"],
      in_reply_to_account_id: note.reply?.["userId"],
      reblog: isBoost ? { id: note["renoteId"] } : null,
      quote: isBoost ? null : quoteOf(note, origin, budget),
      reblogs_count: note["renoteCount"],
      favourites_count: note.reactionCount ?? Object.values(reactions ?? {}).reduce((sum, n) => sum + n, 0),
      replies_count: note["repliesCount"],
    };
  });
}

/** Addresses of a note. A note of the server itself has no uri. */
function addressesOf(note: JsonObject & { id: string | null }, origin: string) {
  const own = note.id === null ? null : `${origin}/notes/${encodeURIComponent(note.id)}`;
  const uri = note["uri"] ?? own;
  return { uri, url: note["url"] ?? uri };
}

/** Visibility in Mastodon's words. A note may require a login, which our token must not bypass. */
function visibilityOf({ localOnly, isHidden, user, visibility }: MisskeyNote): string {
  if (localOnly) return "local";
  if (isHidden || user?.requireSigninToViewContents === true) return "hidden";
  return { public: "public", home: "unlisted", followers: "private", specified: "direct" }[visibility];
}

function originOf(user: MisskeyNote["user"], origin: string): string {
  const host = user?.host ?? "";
  return host === "" || !URL.canParse(`https://${host}`) ? origin : new URL(`https://${host}`).origin;
}

function accountOf(
  user: NonNullable<MisskeyNote["user"]>,
  profile: MisskeyProfile | null,
  origin: string,
  budget: Budget,
) {
  const { username, host } = user;
  const render = (mfm: string) => mfmToHtml(mfm, { origin: originOf(user, origin), budget });
  const noindex = [user.noindex, profile?.noindex, profile?.noCrawle].filter(
    (said) => typeof said === "boolean",
  );
  const ownUrl = host === "" ? `${origin}/@${encodeURIComponent(username)}` : null;
  return {
    id: user.id,
    acct: host === "" ? username : `${username}@${host}`,
    display_name: user["name"],
    url: profile?.["url"] ?? profile?.["uri"] ?? ownUrl,
    avatar: user["avatarUrl"],
    bot: user["isBot"],
    noindex: noindex.length === 0 ? null : noindex.includes(true),
    emojis: user.emojis,
    ...(profile && {
      note: render(profile.description),
      fields: profile.fields.map(({ name, value }) => ({ name, value: render(value) })),
      created_at: profile["createdAt"],
      locked: profile["isLocked"],
      suspended: profile["isSuspended"],
      limited: profile.isSilenced || profile.isLimited,
      moved: profile["movedTo"],
      discoverable: profile["isExplorable"],
    }),
  };
}

function quoteOf({ renote }: MisskeyNote, origin: string, budget: Budget) {
  if (renote === null) return null;
  const { user } = renote;
  return {
    ...addressesOf(renote, origin),
    content: mfmToHtml(renote.text, { origin: originOf(user, origin), budget }),
    tags: renote.tags,
    account: user && accountOf(user, null, origin, budget),
  };
}
