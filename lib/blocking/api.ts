import { z } from "zod";
import { created, noContent, ok, operation } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import type { AnyOperation } from "#lib/base/http/operation.ts";
import { findBlockedUser, listBlocks, texts } from "./block-lists.ts";
import { blockListSchemas, BlockListQuery, BlockReach, type BlockKind } from "./schema.ts";
import { addBlock, countBlock, removeBlock, requireBlockRight } from "./blocks.ts";

const words = {
  user: {
    /** In ids: `blockUser`, `listBlockedUsers`. */
    noun: "User",
    /** In summaries: "List blocked users". */
    plural: "blocked users",
    /** `requireBlockRight` decides. */
    right: { scope: "review", orScope: "manage" },
    add: {
      summary: "Block a user or a pattern of users",
      description:
        "`exact`: `@user@host`, `user@host` or the address of a profile. `suffix`, `prefix` and `contains` are " +
        "compared with `user@host` in lower case; a `*` at the open end is taken off. One account needs the scope " +
        "`review`, every other pattern `manage`.",
    },
    remove: "Remove a blocked user or pattern",
  },
  hashtag: {
    noun: "Hashtag",
    plural: "blocked hashtags",
    right: { scope: "manage" },
    add: {
      summary: "Block a hashtag",
      description: "Compared as Mastodon compares hashtags: NFKC, lower case, ASCII-folded.",
    },
    remove: "Remove a blocked hashtag",
  },
} as const;

const tag = "Blocking";
const asOf = z.object({ as_of: asOfQuery });

/** Declares the operations of one block list. */
export function blockListOperations(kind: BlockKind): Record<"list" | "add" | "remove", AnyOperation> {
  const { noun, plural, right, add, remove } = words[kind];
  const { exists, notFound } = texts[kind];
  const { entry, added, create } = blockListSchemas[kind];
  return {
    list: operation({
      id: `listBlocked${noun}s`,
      summary: `List ${plural}`,
      description:
        "In order of id; up to 10 000 entries without paging. `matches` is the number of posts that an entry " +
        "has rejected or holds now.",
      tag,
      scope: "read",
      query: BlockListQuery,
      responses: { 200: z.array(entry) },
      headers: { 200: { "X-Total-Count": "Number of all entries." } },
      handle: async ({ query }) => {
        const { items, total } = await listBlocks(kind, query);
        return ok(items, { "X-Total-Count": String(total) });
      },
    }),
    add: operation({
      id: `block${noun}`,
      ...add,
      description:
        `${add.description} Acts at once: approved posts are held, within seconds when there are very many; posts that wait ` +
        "for review are rejected when rejection on fetch is on.",
      tag,
      ...right,
      errors: [exists],
      dryRun: "Return the number of posts that it would hold and reject, without changing anything.",
      query: asOf,
      body: create,
      responses: { 200: BlockReach, 201: added },
      handle: async ({ principal, dryRun, body, query }) => {
        requireBlockRight(principal, body);
        return dryRun
          ? ok(await countBlock(kind, body))
          : created(await addBlock(kind, principal, body, query.as_of));
      },
    }),
    remove: operation({
      id: `unblock${noun}`,
      summary: remove,
      description:
        "Releases the posts that it holds, unless another entry does. Posts that were rejected when it was set are unreviewed " +
        "again; those rejected at a fetch stay rejected.",
      tag,
      ...right,
      ids: ["id"],
      responses: { 204: null },
      errors: [notFound],
      handle: async ({ principal, params }) => {
        if (kind === "user") requireBlockRight(principal, await findBlockedUser(params.id));
        await removeBlock(kind, principal, params.id);
        return noContent();
      },
    }),
  };
}
