import { mapInSlices } from "#lib/base/event-loop.ts";
import { searchLexemes } from "#lib/base/tokens.ts";
import { allowedPrivateOrigins } from "#lib/fediverse/allowed-origins.ts";
import type { NormalisedAuthor, NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import type { PostText } from "#lib/checks/results/post-text.ts";

/** Column names of `post`, times as ISO texts. */
export type IngestRow = ReturnType<typeof toIngestRow>;

/** @param consent the signals, for the column `consent` */
export function toIngestRow(post: NormalisedPost, consent: Record<string, unknown>) {
  return { ...rowOf(post), consent };
}

function readRow(post: NormalisedPost) {
  // The first are stored in another form or not at all, the others as they are.
  const {
    author,
    content_html: content,
    spoiler_text,
    quote,
    tags: _tags,
    visibility_stated: _visibilityStated,
    is_own_thread: _isOwnThread,
    can_announce: _canAnnounce,
    quote_approval: _quoteApproval,
    ...same
  } = post;
  return {
    ...same,
    content,
    spoiler_text: spoiler_text === "" ? null : spoiler_text,
    quote: quote && storedQuote(quote),
    emojis: emojisOf(post),
    search: searchOf(post),
    has_https_address: [post.url, post.uri].some(isServable),
    media_count: post.media.length,
    related: relatedTo(post),
    author_username: author.username,
    author_display_name: author.display_name,
    author_account: author.account,
    author_key: keyOfAuthor(author),
    author_url: author.url,
    author_avatar_url: author.avatar_url,
    author_is_bot: author.is_bot,
    author_locked: author.locked,
    author_created_at: author.created_at,
  };
}

/** The quote without fields that only the ingest reads. */
function storedQuote({ tags: _tags, author: _author, ...stored }: NonNullable<NormalisedPost["quote"]>) {
  return stored;
}

/** Input of the checks for a post that is not stored yet. */
export function newText(post: NormalisedPost, hashtag: string): PostText {
  return { ...rowOf(post), stream_hashtag: hashtag };
}

const MAX_RELATED = 200;

/**
 * Further values that blocks and opt-outs compare. Accounts (`user@host`): the author at the host of the post's address, and
 * the quoted author. Folded tags: those outside the list of hashtags, and those of the quote.
 */
function relatedTo(post: NormalisedPost): string[] {
  const { author, quote } = post;
  const accounts = accountsOf(author.account, author.url ?? post.uri);
  if (quote !== null) accounts.push(...accountsOf(quote.account ?? "", quote.uri));
  const known = new Set([keyOfAuthor(author), ...post.hashtags_folded]);
  const all = new Set([...accounts, ...post.tags]);
  return [...all].filter((name) => !known.has(name)).slice(0, MAX_RELATED);
}

/** The handle, and the same name at the host of the address; `@host` without a name. */
function accountsOf(account: string, address: string | null): string[] {
  const key = keyOfAuthor({ account });
  const host = parseWebUrl(address ?? "")?.host;
  return [key, host === undefined ? "" : `${key.split("@")[0]}@${host}`].filter((each) => each !== "");
}

/** `user@host` in lower case. */
export function keyOfAuthor({ account }: Pick<NormalisedAuthor, "account">): string {
  return account.replace(/^@/, "").toLowerCase();
}

/** The post's emoji precede the author's with the same shortcode. */
function emojisOf({ emojis, author }: NormalisedPost): NormalisedPost["emojis"] {
  const known = new Set(emojis.map(({ shortcode }) => shortcode));
  return [...emojis, ...author.emojis.filter(({ shortcode }) => !known.has(shortcode))];
}

/** Whether consumers may get the address: https, or http for an origin of the allow-list. */
function isServable(address: string | null): boolean {
  const { protocol, origin = "" } = URL.parse(address ?? "") ?? {};
  return protocol === "https:" || (protocol === "http:" && allowedPrivateOrigins().includes(origin));
}

const read = new WeakMap<NormalisedPost, ReturnType<typeof readRow>>();

/** Computes the rows. Call it before the transaction, which then holds no lock meanwhile. Yields between posts. */
export async function readPostTexts(posts: readonly NormalisedPost[]): Promise<void> {
  await mapInSlices(posts, rowOf);
}

/** Row of a post, cached as long as the post, because the search text takes time. */
function rowOf(post: NormalisedPost): ReturnType<typeof readRow> {
  const row = read.get(post) ?? readRow(post);
  read.set(post, row);
  return row;
}

/** Text of a `tsvector`. */
function searchOf({ author, ...post }: NormalisedPost): string {
  const { display_name: author_display_name, account: author_account } = author;
  // They need no quotes: letters, digits, marks and emoji only.
  return searchLexemes({ ...post, author_display_name, author_account }).join(" ");
}
