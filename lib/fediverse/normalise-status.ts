import { contentSnippet, plainTextOf, storableText } from "./post-text.ts";
import { foldHashtag } from "./hashtag.ts";
import { hostsBelongTogether, parseWebUrl } from "./urls.ts";
import {
  normaliseApproval,
  normaliseCard,
  normaliseEmojis,
  normaliseMedia,
  normalisePoll,
  readCanAnnounce,
} from "./normalise-attachments.ts";
import { type AskedServer, normaliseAuthor } from "./normalise-author.ts";
import type {
  DropReason,
  NormalisedAuthor,
  NormalisedPost,
  NormalisedQuote,
  NormaliseResult,
} from "./normalised-post.ts";
import {
  readCount,
  readFlag,
  readId,
  readList,
  readMoment,
  readObject,
  readOptionalText,
  readText,
  readWebUrl,
} from "./read-value.ts";
import type { JsonObject } from "./read-value.ts";
import { MAX_MARKUP, sanitiseContent, type MarkupBudget } from "./sanitise-content.ts";

export type { NormalisedPost, NormaliseResult } from "./normalised-post.ts";

const MAX_URI_LENGTH = 2048;
const MAX_CONTENT_BYTES = 100_000;
/** Escaping lengthens text: `<` becomes `&lt;`. */
const MAX_SANITISED_BYTES = 200_000;
const MAX_QUOTE_LENGTH = 10_000;
const MAX_QUOTE_MARKUP = 1_000;
const MAX_HASHTAGS = 100;
const MAX_HASHTAG_LENGTH = 255;

export interface NormaliseContext extends AskedServer {
  now: Date;
  /** Then the response may contain private posts. */
  with_token?: boolean;
  /** Shared by the posts of a page. */
  budget?: MarkupBudget;
}

/** Budget of a page: ten times as much as 40 ordinary posts with their authors. */
export function pageBudget(): MarkupBudget {
  return { left: 10 * MAX_MARKUP };
}

/**
 * Passes public posts only, no boosts, if the hosts of `uri` and author belong together, and the author of a
 * post from its own server has that server's host; otherwise the result has the post as `unproven`. Addresses on
 * unrelated hosts are left out: a link post has the article as its `url`. Every field except `id`, `uri`, `account` and
 * `content` may be missing or of a wrong type. Lists sort by `created_at`, so an implausible one drops the post.
 *
 * @returns never throws
 */
export function normaliseStatus(raw: unknown, context: NormaliseContext): NormaliseResult {
  let origin: { uri: string | null; from_home?: boolean; author?: NormalisedAuthor } = { uri: null };
  const drop = (reason: DropReason): NormaliseResult => ({ ok: false, reason, ...origin });
  const allowance = Math.max(0, Math.min(MAX_MARKUP, context.budget?.left ?? MAX_MARKUP));
  const budget = { left: allowance };
  try {
    const status = readObject(raw);
    if (status === null) return drop("not_an_object");
    const identity = readUri(status["uri"]);
    if (typeof identity === "string") return drop(identity);
    const { text: uri, url: uriUrl } = identity;
    const fromHome = isHome(uriUrl, context);
    origin = { uri, from_home: fromHome };
    const id = readId(status["id"]);
    if (id === null) return drop("no_id");
    if (status["reblog"]) return drop("boost");
    if (!isPublic(status, context.with_token ?? false)) {
      const author = fromHome ? readObject(status["account"]) : null;
      const read = author === null ? null : normaliseAuthor(author, context, context.now, budget);
      if (read !== null && isOwnAuthor(read, uriUrl)) origin.author = read.author;
      return drop("not_public");
    }
    const account = readObject(status["account"]);
    if (account === null) return drop("no_author");
    const found = normaliseAuthor(account, context, context.now, budget);
    if (found === null) return drop("bad_author");
    if (fromHome && isOwnAuthor(found, uriUrl)) origin.author = found.author;
    const url = readWebUrl(status["url"]);
    const agrees = (address: string | null) =>
      address === null || hostsBelongTogether(new URL(address).host, uriUrl.host);
    const isProven = mayBeAuthor(found.host, uriUrl.host, fromHome);
    const isOwn = (address: string | null) =>
      agrees(address) || (address !== null && new URL(address).host === found.host);
    const createdAt = readCreatedAt(status["created_at"], context.now);
    if (createdAt === null) return drop("bad_date");
    const content = typeof status["content"] === "string" ? status["content"] : "";
    if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) return drop("too_large");

    const quote = readQuote(status, context, budget.left) ?? inlineQuote(content);
    const contentHtml = withoutQuoteLine(sanitiseContent(content, budget), quote);
    if (Buffer.byteLength(contentHtml) > MAX_SANITISED_BYTES) return drop("too_large");
    const plainText = plainTextOf(contentHtml);
    const spoilerText = readText(status["spoiler_text"], 5_000).trim();
    const media = normaliseMedia(status["media_attachments"]);
    const { hashtags, folded } = readHashtags(status["tags"], plainText);
    const post: NormalisedPost = {
      uri,
      url: isOwn(url) ? url : null,
      remote_id: id,
      from_home: fromHome,
      content_html: contentHtml,
      plain_text: plainText,
      snippet: contentSnippet({ plainText, spoilerText, media, hashtags }),
      author: { ...found.author, url: isOwn(found.author.url) ? found.author.url : null },
      instance: found.host,
      created_at: createdAt,
      edited_at: readMoment(status["edited_at"], context.now),
      visibility: "public",
      visibility_stated: status["visibility"] === "public",
      language: readLanguage(status["language"]),
      sensitive: readFlag(status["sensitive"]),
      spoiler_text: spoilerText,
      hashtags,
      hashtags_folded: folded,
      media,
      boosts: readCount(status["reblogs_count"]),
      likes: readCount(status["favourites_count"]),
      // Pixelfed: `reply_count`.
      replies: readCount(status["replies_count"] ?? status["reply_count"]),
      in_reply_to: readId(status["in_reply_to_id"]),
      is_own_thread: isOwnThread(status, account),
      is_reblog: false,
      poll: normalisePoll(status["poll"]),
      quote,
      card: normaliseCard(status["card"]),
      emojis: normaliseEmojis(status["emojis"]),
      can_announce: readCanAnnounce(status),
      quote_approval: normaliseApproval(status["quote_approval"]),
      mentions_count: readList(status["mentions"], 10_000).length,
    };
    return isProven ? { ok: true, post } : { ok: false, reason: "hosts_disagree", uri, unproven: post };
  } catch {
    // An unforeseen error must drop one post, not its page.
    return drop("unreadable");
  } finally {
    if (context.budget) context.budget.left -= allowance - Math.max(0, budget.left);
  }
}

/** The identity is compared as text. */
function readUri(value: unknown): { text: string; url: URL } | DropReason {
  const text = typeof value === "string" ? storableText(value).trim() : "";
  if (text === "") return "no_uri";
  if (text.length > MAX_URI_LENGTH) return "too_large";
  const url = parseWebUrl(text, MAX_URI_LENGTH);
  return url === null || !namesHost(text, url) ? "bad_uri" : { text, url };
}

/** Of the asked server; its posts come from it. */
function isOwnAuthor(
  { author, host }: NonNullable<ReturnType<typeof normaliseAuthor>>,
  uriUrl: URL,
): boolean {
  const isNamed = author.url === null || hostsBelongTogether(new URL(author.url).host, uriUrl.host);
  return isNamed && host === uriUrl.host;
}

/** The database reads the host from the text (`uri_host`), so both must agree. */
function namesHost(uri: string, { protocol, host }: URL): boolean {
  return `${uri.toLowerCase()}/`.startsWith(`${protocol}//${host}/`);
}

/** A related host is another server: it may have another owner. */
function isHome({ host }: URL, asked: AskedServer): boolean {
  return host === asked.host;
}

/** The post's own server is believed, so another domain must be verified. A copy is not believed. */
function mayBeAuthor(authorHost: string, uriHost: string, fromHome: boolean): boolean {
  return authorHost === uriHost || (!fromHome && hostsBelongTogether(authorHost, uriHost));
}

/**
 * An anonymous response without a visibility is public. Hometown, glitch-soc and GoToSocial mark posts that stay on their
 * server as `local_only`.
 */
function isPublic({ visibility, local_only: localOnly }: JsonObject, withToken: boolean): boolean {
  if (localOnly === true) return false;
  return visibility === "public" || ((visibility === undefined || visibility === null) && !withToken);
}

function isOwnThread(status: JsonObject, account: JsonObject): boolean {
  const answered = readId(status["in_reply_to_account_id"]);
  return answered !== null && answered === readId(account["id"]);
}

function readCreatedAt(value: unknown, now: Date): string | null {
  return typeof value === "string" && value !== "" ? readMoment(value, now) : now.toISOString();
}

/** A BCP 47 tag; `und` means unknown. */
function readLanguage(value: unknown): string | null {
  const tag = readText(value, 35).trim();
  return /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/i.test(tag) && tag.toLowerCase() !== "und" ? tag : null;
}

/** Falls back to the text. */
function readHashtags(tags: unknown, plainText: string): { hashtags: string[]; folded: string[] } {
  const written =
    typeof tags === "object" && tags !== null
      ? readList(tags, 1_000).map((tag) => readObject(tag)?.["name"] ?? tag)
      : Array.from(
          plainText.matchAll(/(?:^|[^\w&/)])[#＃]([\p{L}\p{M}\p{N}_·・\u200c]+)/gu),
          (match) => match[1],
        );
  const byFold = new Map<string, string>();
  for (const text of written) {
    const hashtag = readText(text, MAX_HASHTAG_LENGTH)
      .trim()
      .replace(/^[#＃]+/, "");
    const folded = foldHashtag(hashtag);
    if (folded !== "" && !/\s/.test(folded) && !byFold.has(folded)) byFold.set(folded, hashtag);
    if (byFold.size === MAX_HASHTAGS) break;
  }
  return { hashtags: [...byFold.values()], folded: [...byFold.keys()] };
}

/** Mastodon 4.5 sends `{state, quoted_status}`; Akkoma and Fedibird send the bare status. */
function readQuote(status: JsonObject, context: NormaliseContext, left: number): NormalisedQuote | null {
  const quote = readObject(status["quote"]) ?? readObject(readObject(status["pleroma"])?.["quote"]);
  if (quote === null) return null;
  const quoted = "quoted_status" in quote || "state" in quote ? readObject(quote["quoted_status"]) : quote;
  // Of its own, so that a long quote takes nothing from the post.
  const budget = { left: Math.min(MAX_QUOTE_MARKUP, left) };
  const account = readObject(quoted?.["account"]);
  const author =
    account === null ? null : (normaliseAuthor(account, context, context.now, budget)?.author ?? null);
  return {
    state: readOptionalText(quote["state"], 50) ?? "accepted",
    uri: readWebUrl(quoted?.["uri"]),
    url: readWebUrl(quoted?.["url"]),
    account: author?.account ?? null,
    name: author?.display_name ?? null,
    content: sanitiseContent(readText(quoted?.["content"], MAX_QUOTE_LENGTH), budget),
    tags: readHashtags(quoted?.["tags"] ?? [], "").folded,
    author,
  };
}

const noQuote: NormalisedQuote = {
  state: "accepted", uri: null, url: null, account: null, name: null, content: "", tags: [], author: null,
}; // prettier-ignore

/** A server that knows no quotes shows them as a line of the text, marked by its class. */
function inlineQuote(content: string): NormalisedQuote | null {
  const at = content.indexOf("quote-inline");
  const address = at === -1 ? undefined : /\bhref="([^"]*)"/.exec(content.slice(at))?.[1];
  const uri = readWebUrl(address?.replaceAll("&amp;", "&"));
  return uri === null ? null : { ...noQuote, uri };
}

const QUOTE_LINE = /\b(?:RE|QT|QP|RN):\s*$/i;

/** Removes the line that the quoting server adds at the end, also where its class was lost on the way. */
function withoutQuoteLine(html: string, quote: NormalisedQuote | null): string {
  const start = quote === null ? -1 : html.lastIndexOf("<a ");
  const [whole, address = "", rest = ""] =
    /^<a href="([^"]*)"[^<]*<\/a>((?:<\/\w+>|\s)*)$/.exec(html.slice(start)) ?? [];
  if (start === -1 || whole === undefined || quote === null) return html;
  const before = html.slice(0, start);
  if (
    ![quote.uri, quote.url].includes(readWebUrl(address.replaceAll("&amp;", "&"))) ||
    !QUOTE_LINE.test(before)
  )
    return html;
  return withoutEmptyEnd(before.replace(QUOTE_LINE, "") + rest);
}

/** Blank lines and elements that the removed line leaves. */
function withoutEmptyEnd(html: string): string {
  for (let text = html; ;) {
    const shorter = text
      .trimEnd()
      .replace(/(?:<br ?\/?>|<(p|div|span)><\/\1>|<br ?\/?>(<\/(?:p|div|span)>))$/, "$2");
    if (shorter === text) return text;
    text = shorter;
  }
}
