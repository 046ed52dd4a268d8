import { mapInSlices } from "#lib/base/event-loop.ts";
import { searchLexemes } from "#lib/base/tokens.ts";
import { readConsentTags, type ConsentTags } from "#lib/fediverse/judge-consent.ts";
import type { NormalisedPost } from "#lib/fediverse/normalise-status.ts";

/** Values derived from the texts of a post, in a time that grows with their length. */
interface PostTexts {
  /** A `tsvector`. */
  search: string;
  tags: ConsentTags;
}

const read = new WeakMap<NormalisedPost, PostTexts>();

/** Call before a transaction, so that it holds no lock during this work. Other events get their turn between posts. */
export async function readPostTexts(posts: readonly NormalisedPost[]): Promise<void> {
  await mapInSlices(posts, textsOf);
}

/** Kept as long as the post. */
export function textsOf(post: NormalisedPost): PostTexts {
  let texts = read.get(post);
  if (texts === undefined) {
    texts = { search: searchOf(post), tags: readConsentTags(post) };
    read.set(post, texts);
  }
  return texts;
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
