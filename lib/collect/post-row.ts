import { mapInSlices } from "#lib/base/event-loop.ts";
import { searchLexemes } from "#lib/base/tokens.ts";
import { allowedPrivateOrigins } from "#lib/fediverse/allowed-origins.ts";
import type { NormalisedAuthor, NormalisedPost } from "#lib/fediverse/normalise-status.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import type { PostText } from "#lib/checks/results/post-text.ts";

/** Column names of `post`, times as ISO texts. */
export type IngestRow = ReturnType<typeof toIngestRow>;

/** @param consent content of `post.consent`: the signals */
export function toIngestRow(post: NormalisedPost, consent: Record<string, unknown>) {
  return { ...rowOf(post), consent };
}

function readRow(post: NormalisedPost) {
  const { author } = post;
  const spoilerText = post.spoiler_text === "" ? null : post.spoiler_text;
  return {
    uri: post.uri,
    remote_id: post.remote_id,
    from_home: post.from_home,
    url: post.url,
    content: post.content_html,
    plain_text: post.plain_text,
    snippet: post.snippet,
    search: searchOf(post),
    has_https_address: [post.url, post.uri].some(isServable),
    author_username: author.username,
    author_display_name: author.display_name,
    author_account: author.account,
    author_key: keyOfAuthor(author),
    author_url: author.url,
    author_avatar_url: author.avatar_url,
    author_is_bot: author.is_bot,
    author_locked: author.locked,
    author_created_at: author.created_at,
    instance: post.instance,
    created_at: post.created_at,
    edited_at: post.edited_at,
    visibility: post.visibility,
    hashtags: post.hashtags,
    hashtags_folded: post.hashtags_folded,
    related: relatedTo(post),
    media: post.media,
    media_count: post.media.length,
    boosts: post.boosts,
    likes: post.likes,
    replies: post.replies,
    language: post.language,
    sensitive: post.sensitive,
    spoiler_text: spoilerText,
    in_reply_to: post.in_reply_to,
    poll: post.poll,
    quote: storedQuote(post.quote),
    card: post.card,
    emojis: emojisOf(post),
  };
}

/** For the checks of a post that is not stored yet. */
export function newText(post: NormalisedPost, hashtag: string): PostText {
  return { ...rowOf(post), stream_hashtag: hashtag };
}

const MAX_RELATED = 200;

/**
 * Values that blocks and opt-outs compare besides author and hashtags: accounts (`user@host`), which are the author's at the host
 * of the address and the quoted author's, and folded tags outside the list, also the quote's.
 */
function relatedTo(post: NormalisedPost): string[] {
  const { author, quote } = post;
  const quoted = quote === null ? [] : accountsOf(quote.account ?? "", quote.uri);
  const accounts = [...accountsOf(author.account, author.url ?? post.uri), ...quoted];
  const known = new Set([keyOfAuthor(author), ...post.hashtags_folded]);
  const all = new Set([...accounts, ...post.tags]);
  return [...all].filter((name) => !known.has(name)).slice(0, MAX_RELATED);
}

/** The handle, and the same name at the host of an address; without a name `@host`. */
function accountsOf(account: string, address: string | null): string[] {
  const key = keyOfAuthor({ account });
  const host = address === null ? null : (parseWebUrl(address)?.host ?? null);
  return [key, host === null ? "" : `${key.split("@")[0]}@${host}`].filter((each) => each !== "");
}

/** Without what only the ingest reads. */
function storedQuote(quote: NormalisedPost["quote"]) {
  if (quote === null) return null;
  const { state, uri, url, account, name, content } = quote;
  return { state, uri, url, account, name, content };
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

/** Consumers need https; http only for origins of the allow-list. */
function isServable(address: string | null): boolean {
  if (address === null || !URL.canParse(address)) return false;
  const { protocol, origin } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && allowedPrivateOrigins().includes(origin));
}

const read = new WeakMap<NormalisedPost, ReturnType<typeof readRow>>();

/** Call before a transaction, so that it holds no lock during this work. Other events get their turn between posts. */
export async function readPostTexts(posts: readonly NormalisedPost[]): Promise<void> {
  await mapInSlices(posts, rowOf);
}

/** Kept as long as the post: the search takes a time that grows with the texts. */
function rowOf(post: NormalisedPost): ReturnType<typeof readRow> {
  const row = read.get(post) ?? readRow(post);
  read.set(post, row);
  return row;
}

function searchOf({ author, plain_text, spoiler_text, hashtags, media }: NormalisedPost): string {
  const lexemes = searchLexemes({
    plain_text,
    spoiler_text,
    author_display_name: author.display_name,
    author_account: author.account,
    hashtags,
    media,
  });
  return lexemes.map((lexeme) => `'${lexeme.replace(/['\\]/g, "$&$&")}'`).join(" ");
}
