import { latestAuthor, postByAddress } from "./lookup-sql.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import type { Lookup } from "./lookup-schema.ts";
import { readAddress } from "./read-address.ts";

/** What of a pasted address is known here: the post, and the author it names. */
export async function lookUp(address: string): Promise<Lookup> {
  const { posts, author } = readAddress(address);
  const post = posts.length === 0 ? null : await postByAddress(posts);
  const key = post?.author_key ?? author;
  const known = key === null ? null : await latestAuthor(key);
  return {
    post: post && {
      id: post.id,
      author_account: post.author_account,
      snippet: post.snippet,
      emojis: pickEmojis(post.emojis, [post.snippet]),
    },
    author:
      key === null
        ? null
        : {
            account: known?.author_account ?? `@${key}`,
            display_name: known?.author_display_name || null,
            known: known !== null,
          },
  };
}
