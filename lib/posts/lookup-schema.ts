import { z } from "zod";
import { common } from "#lib/http/common-fields.ts";
import { stringField, text } from "#lib/http/fields.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";

/** Query of `GET /lookup`. */
export const LookupQuery = z.object({
  address: text(2000, 1).meta({
    override: { type: "string", minLength: 1, maxLength: 2000 },
    description:
      "Address of a post (its page or its URI) or of a profile, or an account such as `@user@host`.",
    example: "https://mastodon.social/@alice/1",
  }),
});

/** Answer of `GET /lookup`: the posts and authors of it that are known here. */
export const Lookup = z
  .object({
    post: z
      .object({
        id: common.id,
        author_account: common.author_account,
        snippet: common.snippet,
        emojis: z.array(Emoji).describe("Custom emoji in the text."),
      })
      .nullable()
      .describe("Null when no post with this address is stored."),
    author: z
      .object({
        account: common.account,
        display_name: common.display_name,
        known: z.boolean().describe("True when at least one post of this author is stored."),
      })
      .nullable()
      .describe("Author of the post or profile; null when the address names none."),
    removed: z
      .object({
        kind: z.enum(["refused", "deleted"]).describe("Kind of entry."),
        reason: stringField(
          "The consent rule, or the reason of the deletion: `deleted`, `opt_out`, `cleanup`, `trim`, `rejected`, `unreviewed`, `failed`.",
          "Status not found on fediverse",
        ),
        at: common.at,
      })
      .optional()
      .describe("Why a post of this address is not stored; absent when nothing is known."),
  })
  .meta({
    id: "Lookup",
    example: {
      post: { id: 42, author_account: "@alice@mastodon.social", snippet: "A heron at the weir", emojis: [] },
      author: { account: "@alice@mastodon.social", display_name: "Alice", known: true },
    },
  });
export type Lookup = z.infer<typeof Lookup>;
