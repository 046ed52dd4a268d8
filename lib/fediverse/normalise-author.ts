import { normaliseApproval, normaliseEmojis } from "./normalise-attachments.ts";
import type { NormalisedAuthor } from "./normalised-post.ts";
import { parseUrl } from "./urls.ts";
import { plainTextOf } from "./post-text.ts";
import {
  readFlag,
  readList,
  readMoment,
  readObject,
  readOptionalText,
  readText,
  readTristate,
  readWebUrl,
} from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { sanitiseContent, type MarkupBudget } from "./sanitise-content.ts";

const NOT_IN_USERNAME = /[\s@/\\?#<>"'`\p{C}]/u;

/** The server that was asked. Its own accounts have no host in `acct`; lib/fediverse/account-domain.ts corrects them. */
export interface AskedServer {
  host: string;
}

/** Accepts `user`, `@user`, `user@host`, `@user@host` and `user@host@host`. */
export function splitAccount(acct: string, asked: AskedServer): { username: string; host: string } | null {
  const parts = acct.trim().replace(/^@+/, "").split("@");
  const username = parts[0] ?? "";
  const host = parts.length > 1 ? hostOf(parts.at(-1) ?? "") : asked.host;
  if (username === "" || [...username].length > 255 || NOT_IN_USERNAME.test(username) || host === null)
    return null;
  return { username, host };
}

/** Lower case, IDN in ASCII. */
function hostOf(text: string): string | null {
  if (text === "" || /[/?#\\\s@]/.test(text)) return null;
  return parseUrl(`https://${text}`)?.host ?? null;
}

/** @returns null without a readable account name */
export function normaliseAuthor(
  account: JsonObject,
  asked: AskedServer,
  now: Date,
  budget: MarkupBudget,
): { author: NormalisedAuthor; host: string } | null {
  const name = readOptionalText(account["acct"], 600) ?? readOptionalText(account["username"], 600);
  const split = name === null ? null : splitAccount(name, asked);
  if (split === null) return null;
  const { username, host } = split;
  const author: NormalisedAuthor = {
    username,
    display_name: readOptionalText(account["display_name"], 500) ?? username,
    account: `@${username}@${host}`,
    url: readWebUrl(account["url"]),
    avatar_url: readWebUrl(account["avatar_static"]) ?? readWebUrl(account["avatar"]),
    is_bot: readFlag(account["bot"]),
    locked: readFlag(account["locked"]),
    created_at: readMoment(account["created_at"], now),
    note:
      typeof account["note"] === "string" ? sanitiseContent(readText(account["note"], 50_000), budget) : null,
    fields: readFields(account["fields"]).flatMap((field) => normaliseField(field, budget)),
    emojis: normaliseEmojis(account["emojis"]),
    noindex: readTristate(account["noindex"]),
    indexable: readTristate(account["indexable"]),
    discoverable: readTristate(account["discoverable"]),
    group: readFlag(account["group"]),
    limited: readFlag(account["limited"]),
    suspended: readFlag(account["suspended"]),
    memorial: readFlag(account["memorial"]),
    // Mastodon sends the new account, others a flag or an address.
    moved: Boolean(account["moved"]),
    feature_approval: normaliseApproval(account["feature_approval"]),
  };
  return { author, host };
}

const MAX_FIELDS = 32;

/** Some servers send an object; fields may contain refusal tags. */
function readFields(value: unknown): unknown[] {
  const list = readList(value, MAX_FIELDS);
  if (list.length > 0) return list;
  return Object.entries(readObject(value) ?? {})
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => readObject(text) ?? { name, value: text });
}

function normaliseField(value: unknown, budget: MarkupBudget): { name: string; value: string }[] {
  const field = readObject(value);
  if (field === null) return [];
  const name = plainTextOf(sanitiseContent(readText(field["name"], 2_000), budget));
  return [{ name, value: sanitiseContent(readText(field["value"], 10_000), budget) }];
}
