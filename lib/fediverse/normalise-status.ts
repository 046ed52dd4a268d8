import { splitAccount } from "./account.ts";
import { pageBudget, withinBudget, type Budget } from "./budget.ts";
import { findTags, tagsInText, tagsOfProfile } from "./find-tags.ts";
import { foldHashtag } from "./hashtag.ts";
import { readMoment } from "./lenient.ts";
import { contentSnippet, plainTextOf, storableText } from "./post-text.ts";
import { inlineQuote, withoutQuoteLine } from "./quote-line.ts";
import { MAX_MARKUP, sanitiseContent } from "./sanitise-content.ts";
import { type Account, Status } from "./status-schema.ts";
import { hostsBelongTogether, parseWebUrl } from "./urls.ts";

const MAX_URI_LENGTH = 2048;
const MAX_CONTENT_BYTES = 100_000;
/** Escaping lengthens text: `<` becomes `&lt;`. */
const MAX_SANITISED_BYTES = 200_000;
const MAX_QUOTE_MARKUP = 1_000;
const MAX_HASHTAGS = 100;
const MAX_HASHTAG_LENGTH = 255;

export interface NormaliseContext {
  /** The server that was asked. Its own accounts have no host in `acct`; lib/fediverse/hosts.ts corrects them. */
  host: string;
  now: Date;
  /** Whether a token was sent, so that the response may contain private posts. */
  with_token?: boolean;
  /** Budget of the page, shared by its posts. */
  budget?: Budget;
}

export type DropReason =
  | "not_an_object"
  | "no_uri"
  | "bad_uri"
  | "no_id"
  | "no_author"
  | "bad_author"
  | "hosts_disagree"
  | "author_unproven"
  | "boost"
  | "not_public"
  | "bad_date"
  | "too_large"
  | "unreadable";

/** A post of any software. JSON, safe for PostgreSQL; times are ISO 8601 in UTC. */
export type NormalisedPost = NonNullable<Reading["post"]>;
export type NormalisedAuthor = Author["author"];
type Author = NonNullable<ReturnType<typeof authorOf>>;
export type NormalisedMedia = NormalisedPost["media"][number];
export type NormalisedPoll = NonNullable<NormalisedPost["poll"]>;

export type NormaliseResult =
  | { ok: true; post: NormalisedPost }
  | {
      ok: false;
      reason: DropReason;
      uri: string | null;
      /** Whether the post's own server showed it. */
      from_home?: boolean;
      /** The author, if the post's own server showed it and the account is its own. */
      author?: NormalisedAuthor;
      /** With `hosts_disagree`: the post, usable if the author's domain belongs to the post's server (lib/fediverse/hosts.ts). */
      unproven?: NormalisedPost;
    };

type Reading = ReturnType<typeof readPost>;
type Origin = { uri: string | null; from_home?: boolean; author?: NormalisedAuthor };

/**
 * Passes public posts only, no boosts, if the hosts of `uri` and author belong together, and the author of a
 * post from its own server has that server's host; otherwise the result has the post as `unproven`. Addresses on
 * unrelated hosts are left out: a link post has the article as its `url`. Every field except `id`, `uri`, `account` and
 * `content` may be missing or of a wrong type. Lists sort by `created_at`, so an implausible one drops the post.
 *
 * @returns never throws
 */
export function normaliseStatus(raw: unknown, context: NormaliseContext): NormaliseResult {
  const page = context.budget ?? pageBudget(MAX_MARKUP);
  const origin: Origin = { uri: null };
  const drop = (reason: DropReason): NormaliseResult => ({ ok: false, reason, ...origin });
  try {
    const status = Status.safeParse(raw);
    if (!status.success) return drop("not_an_object");
    const { post, reason } = withinBudget(page, MAX_MARKUP, (budget) =>
      readPost(status.data, context, budget, origin),
    );
    if (post === undefined) return drop(reason);
    return reason === undefined ? { ok: true, post } : { ok: false, reason, uri: post.uri, unproven: post };
  } catch {
    // An unforeseen error drops this post, not its page.
    return drop("unreadable");
  }
}

/** @param origin receives what is known if the post is dropped */
function readPost(status: Status, context: NormaliseContext, budget: Budget, origin: Origin) {
  const { account, content } = status;
  const identity = readUri(status.uri);
  if (typeof identity === "string") return { reason: identity };
  const { text: uri, url: uriUrl } = identity;
  // A related host is another server, which may have another owner.
  const fromHome = uriUrl.host === context.host;
  Object.assign(origin, { uri, from_home: fromHome });
  if (status.id === null) return { reason: "no_id" as const };
  if (status.reblog) return { reason: "boost" as const };
  const isShown = isPublic(status, context.with_token ?? false);
  const found = account === null ? null : authorOf(account, context, budget);
  if (found !== null && fromHome && isOwnAuthor(found, uriUrl)) origin.author = found.author;
  if (!isShown) return { reason: "not_public" as const };
  if (account === null) return { reason: "no_author" as const };
  if (found === null) return { reason: "bad_author" as const };
  const { host, author } = found;
  const createdAt = readCreatedAt(status.created_at, context.now);
  if (createdAt === null) return { reason: "bad_date" as const };
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) return { reason: "too_large" as const };

  const quote = quoteOf(status, context, budget.left);
  const contentHtml = withoutQuoteLine(sanitiseContent(content, budget), quote);
  if (Buffer.byteLength(contentHtml) > MAX_SANITISED_BYTES) return { reason: "too_large" as const };
  const plainText = plainTextOf(contentHtml);
  const { spoiler_text: spoilerText, media_attachments: media } = status;
  const { hashtags, folded } = hashtagsOf(status.tags ?? tagsInPlainText(plainText));
  const ownUrl = (url: string | null) => {
    const at = url === null ? null : new URL(url).host;
    return at === null || hostsBelongTogether(at, uriUrl.host) || at === host ? url : null;
  };
  const post = {
    /** Identity of the post (≤ 2048 characters, http or https). */
    uri,
    url: ownUrl(status.url),
    /** Id on the server that was asked; opaque. */
    remote_id: status.id,
    /** Whether its own server showed it: only then content, author and edits are believed. */
    from_home: fromHome,
    /** Sanitised HTML. */
    content_html: contentHtml,
    /** Plain text with one line for each block. */
    plain_text: plainText,
    /** `content_snippet`; never empty. */
    snippet: contentSnippet({ plainText, spoilerText, media, hashtags }),
    author: { ...author, url: ownUrl(author.url) },
    /** Host of the author's server, with a non-default port. */
    instance: host,
    created_at: createdAt,
    edited_at: readMoment(status.edited_at, context.now),
    visibility: "public",
    /** False when an anonymous response stated none. */
    visibility_stated: status.visibility === "public",
    language: status.language,
    sensitive: status.sensitive,
    /** Content warning, or "". */
    spoiler_text: spoilerText,
    /** Spelled as in the post, without `#` and duplicates. */
    hashtags,
    /** The same hashtags, folded by `foldHashtag`. */
    hashtags_folded: folded,
    /** Folded hashtags of the list, the texts, the links and the quoted post, for consent and block lists. Not stored. */
    tags: [
      ...new Set([
        ...folded,
        ...findTags(contentHtml, plainText),
        ...tagsInText(spoilerText),
        ...(quote?.tags ?? []),
        ...findTags(quote?.content ?? ""),
      ]),
    ],
    media,
    boosts: status.reblogs_count,
    likes: status.favourites_count,
    replies: status.replies_count ?? status.reply_count,
    in_reply_to: status.in_reply_to_id,
    /** Whether it replies to a post of the same author. */
    is_own_thread: status.in_reply_to_account_id !== null && status.in_reply_to_account_id === account.id,
    poll: status.poll,
    quote,
    card: status.card,
    emojis: status.emojis,
    /** Whether it may be boosted (GoToSocial); null when not stated. */
    can_announce: status.interaction_policy?.can_reblog ?? status.interaction_policy?.can_announce ?? null,
    quote_approval: status.quote_approval,
  };
  // The post's own server is believed, so another domain must be verified. A copy is not believed.
  const isProven = host === uriUrl.host || (!fromHome && hostsBelongTogether(host, uriUrl.host));
  return isProven ? { post } : { post, reason: "hosts_disagree" as const };
}

/**
 * Reads the uri. It is compared as text, and the database reads the host from it (`uri_host`), so both must agree. A host with
 * a dot at its end would be another name to block lists.
 */
function readUri(value: string): { text: string; url: URL } | DropReason {
  const text = storableText(value).trim();
  if (text === "") return "no_uri";
  if (text.length > MAX_URI_LENGTH) return "too_large";
  const url = parseWebUrl(text, MAX_URI_LENGTH);
  const namesHost = url !== null && `${text.toLowerCase()}/`.startsWith(`${url.protocol}//${url.host}/`);
  return namesHost && !url.hostname.endsWith(".") ? { text, url } : "bad_uri";
}

/** Whether the post is public. In an anonymous response, a post without a visibility is. */
function isPublic({ visibility, local_only: localOnly }: Status, withToken: boolean): boolean {
  if (localOnly) return false;
  return visibility === "public" || ((visibility === undefined || visibility === null) && !withToken);
}

function readCreatedAt(value: unknown, now: Date): string | null {
  return typeof value === "string" && value !== "" ? readMoment(value, now) : now.toISOString();
}

/** Reads the author; null without a usable name. */
function authorOf(account: Account, context: NormaliseContext, budget: Budget) {
  const split = splitAccount(account.acct ?? account.username ?? "", context);
  if (split === null) return null;
  const { username, host } = split;
  const {
    display_name,
    avatar_static,
    avatar,
    bot,
    created_at,
    note,
    fields,
    acct: _acct,
    id: _id,
    ...given
  } = account;
  const author = {
    ...given,
    username,
    display_name: display_name ?? username,
    account: `@${username}@${host}`,
    avatar_url: avatar_static ?? avatar,
    is_bot: bot,
    created_at: readMoment(created_at, context.now),
    profile_seen: note !== null,
    /** Folded hashtags of the profile. */
    tags: tagsOfProfile({ display_name, note, fields }, budget),
  };
  return { author, host };
}

/** Whether the author has an account on the asked server, which is also the post's own. */
function isOwnAuthor({ author, host }: Author, uriUrl: URL): boolean {
  const isNamed = author.url === null || hostsBelongTogether(new URL(author.url).host, uriUrl.host);
  return isNamed && host === uriUrl.host;
}

const tagsInPlainText = (text: string) =>
  Array.from(text.matchAll(/(?:^|[^\w&/)])[#＃]([\p{L}\p{M}\p{N}_·・\u200c]+)/gu), (match) => match[1] ?? "");

function hashtagsOf(names: readonly string[]): { hashtags: string[]; folded: string[] } {
  const byFold = new Map<string, string>();
  for (const name of names) {
    const hashtag = [...name.trim().replace(/^[#＃]+/, "")].slice(0, MAX_HASHTAG_LENGTH).join("");
    const folded = foldHashtag(hashtag);
    if (folded !== "" && !/\s/.test(folded) && !byFold.has(folded)) byFold.set(folded, hashtag);
    if (byFold.size === MAX_HASHTAGS) break;
  }
  return { hashtags: [...byFold.values()], folded: [...byFold.keys()] };
}

function quoteOf({ quote: own, pleroma, content }: Status, context: NormaliseContext, left: number) {
  const quote = own ?? pleroma?.quote ?? inlineQuote(content);
  if (quote === null) return null;
  const { state, status } = quote;
  // The quote has its own budget, so that a long one takes nothing from the post.
  const budget = { left: Math.min(MAX_QUOTE_MARKUP, left) };
  const account = status?.account ?? null;
  const author = (account && authorOf(account, context, budget)?.author) ?? null;
  return {
    /** `accepted`, `pending`, `rejected`, … */
    state,
    uri: status?.uri ?? null,
    url: status?.url ?? null,
    account: author?.account ?? null,
    /** Display name. */
    name: author?.display_name ?? null,
    /** Sanitised HTML. */
    content: sanitiseContent(status?.content ?? "", budget),
    /** Folded hashtags of the list; not stored. */
    tags: hashtagsOf(status?.tags ?? []).folded,
    /** Author of the quoted post, for consent; not stored. */
    author,
  };
}
